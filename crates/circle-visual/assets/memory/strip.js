// The strip below the plots: live bytes over the whole time, and the part that is in sight.

const strip = byName("strip");
const stripPen = strip.getContext("2d");
const STRIP_LEFT = AXIS, stripSize = { width: 1, height: 56 };
// The panel that the strip is of: the one that was last worked with.
const stripPanel = () => { const shown = chosenPanels(); return shown.find((panel) => panel.number === state.tickPanel) || shown[0]; };
let stripCurve = { key: null };

// Highest live bytes and ends of each column.
const curveOf = (panel, columns) => {
  const steps = figures(panel.seg).steps, span = Math.max(1, panel.x.most - panel.x.least);
  if (stripCurve.steps === steps && stripCurve.columns === columns && stripCurve.least === panel.x.least && stripCurve.span === span) return stripCurve;
  const live = new Float64Array(columns), top = new Float64Array(columns);
  for (let k = 0; k < steps.tick.length; k++) {
    const tick = steps.tick[k], end = k + 1 < steps.tick.length ? steps.tick[k + 1] : panel.x.most;
    const from = Math.max(0, Math.floor((tick - panel.x.least) / span * columns)), till = Math.min(columns, Math.max(from + 1, Math.ceil((end - panel.x.least) / span * columns)));
    for (let column = from; column < till; column++) { live[column] = Math.max(live[column], steps.live[k]); top[column] = Math.max(top[column], steps.top[k] - panel.seg.floor); }
  }
  stripCurve = { steps, columns, least: panel.x.least, span, live, top };
  return stripCurve;
};

const drawStrip = () => {
  const ratio = strip.width / stripSize.width, s = skin(), { width, height } = stripSize;
  stripPen.setTransform(ratio, 0, 0, ratio, 0, 0);
  stripPen.fillStyle = s.background;
  stripPen.fillRect(0, 0, width, height);
  const panel = stripPanel();
  if (!panel) return;
  const columns = Math.max(1, Math.floor(width - STRIP_LEFT - RIGHT)), floor = panel.seg.floor, most = Math.max(1, Number(figures(panel.seg).peak) - floor);
  const { live, top } = curveOf(panel, columns);
  // Columns of one height are one rectangle.
  const area = (values, colour) => {
    stripPen.fillStyle = colour;
    for (let column = 0, end; column < columns; column = end) {
      for (end = column + 1; end < columns && values[end] === values[column];) end++;
      const h = values[column] > 0 ? Math.max(1, Math.min(1, values[column] / most) * (height - 12)) : 0;
      if (h > 0) stripPen.fillRect(STRIP_LEFT + column, height - 4 - h, end - column, h);
    }
  };
  stripPen.fillStyle = s.terminal;
  stripPen.fillRect(STRIP_LEFT, 6, columns, height - 10);
  area(top, s.hatch);
  area(live, DATA.categories[state.theme][4]);
  const span = panel.x.most - panel.x.least, left = STRIP_LEFT + (panel.x.low - panel.x.least) / span * columns, right = STRIP_LEFT + (panel.x.high - panel.x.least) / span * columns;
  stripPen.strokeStyle = accent();
  stripPen.lineWidth = 2;
  stripPen.strokeRect(Math.max(STRIP_LEFT, left), 5, Math.max(3, Math.min(STRIP_LEFT + columns, right) - Math.max(STRIP_LEFT, left)), height - 8);
  if (state.tick !== null && panels[state.tickPanel] && panels[state.tickPanel].x === panel.x) { stripPen.fillStyle = accent(); stripPen.fillRect(STRIP_LEFT + (Number(state.tick) - panel.x.least) / span * columns, 2, 2, height - 4); }
  stripPen.fillStyle = s.faint;
  stripPen.font = `10.5px ${FONT}`;
  stripPen.textAlign = "right";
  stripPen.fillText("live bytes", STRIP_LEFT - 8, 24);
  stripPen.fillText("and top", STRIP_LEFT - 8, 38);
};

const stripMove = (event) => {
  const panel = stripPanel();
  if (!panel) return;
  const columns = Math.max(1, stripSize.width - STRIP_LEFT - RIGHT), at = (event.clientX - strip.getBoundingClientRect().left - STRIP_LEFT) / columns;
  const middle = panel.x.least + at * (panel.x.most - panel.x.least), half = (panel.x.high - panel.x.low) / 2;
  panel.x.low = middle - half;
  panel.x.high = middle + half;
  keepInside(panel);
  redraw();
};
strip.addEventListener("pointerdown", (event) => { strip.setPointerCapture(event.pointerId); stripMove(event); });
strip.addEventListener("pointermove", (event) => { if (event.buttons) stripMove(event); });
