// Elements. Names reach the page as text nodes only, never as markup.

const el = (tag, options = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key === "click") node.addEventListener("click", value);
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
const byId = (id) => document.getElementById(id);
