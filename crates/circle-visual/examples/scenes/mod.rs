//! Made-up scenes, for the example and the tests.

use circle_visual::{
    Edge, EdgeSource, EdgeTarget, FileLabel, MetricInfo, MetricKind, MetricValue, Node, OriginRef, Retired,
    Scene, SourceNode, SubgraphScene, Terminal,
};

/// A network of blocks with skips: deterministic, of `count` operators, every kind of lineage in it.
pub(crate) fn made_up(count: u32) -> Scene {
    let kinds =
        ["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "MUL", "RESHAPE", "TRANSPOSE", "FULLY_CONNECTED", "SOFTMAX"];
    let label = |k: u32| format!("f32[1,{},{},{}]", 7 + k % 50, 7 + k % 50, 8 << (k % 5));
    let mut graph = SubgraphScene { name: "main".into(), ..SubgraphScene::default() };
    graph.inputs.push(Terminal { name: "image".into(), label: "f32[1,3,224,224]".into() });
    graph.outputs.push(Terminal { name: "scores".into(), label: "f32[1,1000]".into() });
    let mut sources = Vec::new();
    for k in 0..count {
        let kind = kinds[(k * 7 % 8) as usize];
        let origin = |id: u32, role: &str| OriginRef { id, role: role.into(), part: None };
        let mut node = Node {
            operator: k,
            opcode: kind.into(),
            name: format!("features.{}.{}/{}", k / 9, k % 9, kind.to_lowercase()),
            origins: vec![origin(2 * k, "primary")],
            output: label(k),
            attributes: if k % 3 == 0 {
                "padding=SAME stride=2x2 activation=RELU6".into()
            } else {
                String::new()
            },
            ..Node::default()
        };
        match k % 10 {
            1 => {
                node.origins.push(origin(2 * k + 1, "absorbed"));
                node.history = vec!["fuse_batchnorm_with_conv".into(), "fuse_activation_function".into()];
            }
            4 => node.origins[0].role = "helper".into(),
            6 => {
                node.origins[0].part = Some((1, 2));
                node.origins[0].role = "cloned".into();
            }
            9 if k % 20 == 9 => {
                node.origins.clear();
                node.unknown = Some("the tables do not fit the operators".into());
            }
            _ => {}
        }
        if k % 13 != 5 {
            let cost = u64::from(k).wrapping_mul(2_654_435_761) % 1000;
            node.metrics.push((0, MetricValue::Integer((cost * cost * 3 + 500) as i64)));
            node.metrics.push((1, MetricValue::Integer(i64::from(k % 64) * 4096)));
        }
        for id in [2 * k, 2 * k + 1] {
            sources.push(SourceNode {
                id,
                name: format!("layer{id}"),
                file: Some(0),
                subgraph: Some(0),
                operator: Some(id),
                opcode: Some(kind.into()),
            });
        }
        let from = if k == 0 { EdgeSource::Input(0) } else { EdgeSource::Node(k - 1) };
        let tensor = if k == 0 { "image".into() } else { format!("t{}", k - 1) };
        graph.edges.push(Edge { from, to: EdgeTarget::Node(k), tensor, label: label(k.saturating_sub(1)) });
        if kind == "ADD" && k > 6 {
            let skip = k - 5;
            graph.edges.push(Edge {
                from: EdgeSource::Node(skip),
                to: EdgeTarget::Node(k),
                tensor: format!("t{skip}"),
                label: label(skip),
            });
        }
        graph.nodes.push(node);
    }
    if count > 0 {
        graph.edges.push(Edge {
            from: EdgeSource::Node(count - 1),
            to: EdgeTarget::Output(0),
            tensor: format!("t{}", count - 1),
            label: label(count - 1),
        });
    }
    let retired = (0..count)
        .filter(|k| k % 10 != 1)
        .map(|k| Retired {
            source: 2 * k + 1,
            reason: "identity".into(),
            by: "remove_redundant_transpose".into(),
        })
        .collect();
    let metric = |name: &str, unit: &str, kind| MetricInfo { name: name.into(), unit: unit.into(), kind };
    Scene {
        title: format!("made-up-{count}.circle"),
        files: vec![FileLabel {
            name: "origin.circle".into(),
            md5: "0123456789abcdef0123456789abcdef".into(),
        }],
        subgraphs: vec![graph],
        sources,
        metrics: vec![metric("time", "ns", MetricKind::Additive), metric("peak", "bytes", MetricKind::Max)],
        retired,
        notices: Vec::new(),
    }
}

/// A small scene all of whose names are hostile to some format.
pub(crate) fn hostile() -> Scene {
    let names = [
        "</script><script>window.hacked=1</script>",
        "<img src=x onerror=\"window.hacked=2\">",
        "quote\" apostrophe' semicolon; ampersand&amp; backslash\\",
        "nul\0bell\u{7}escape\u{1b}[31m",
        "right-to-left \u{202e}gnp.exe\u{2028}\u{2029} שלום العربية",
        "<!--<script> ]]> javascript:window.hacked=3",
        "not utf-8: \u{fffd}\u{fffd}",
    ];
    let mut scene = made_up(8);
    let long = "x".repeat(5_000) + "</script>" + &"y".repeat(5_000);
    scene.title = names[0].into();
    scene.notices = vec![names[1].into(), long.clone()];
    scene.files[0].name = names[2].into();
    scene.metrics[0].name = names[1].into();
    scene.metrics[1].unit = names[5].into();
    for graph in &mut scene.subgraphs {
        graph.name = names[5].into();
        graph.inputs[0].name = names[4].into();
        for (position, node) in graph.nodes.iter_mut().enumerate() {
            let name = names.get(position).map_or(long.as_str(), |name| name);
            node.name = name.into();
            node.opcode = name.into();
            node.output = name.into();
            node.attributes = name.into();
            node.history = vec![name.into()];
            if let Some(origin) = node.origins.first_mut() {
                origin.role = name.into();
            }
        }
        for (position, edge) in graph.edges.iter_mut().enumerate() {
            edge.label = names[position % names.len()].into();
        }
    }
    for (position, source) in scene.sources.iter_mut().enumerate() {
        source.name = names[position % names.len()].into();
    }
    scene
}
