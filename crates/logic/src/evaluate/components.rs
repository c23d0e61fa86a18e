//! A dependency graph to its strongly connected components (Tarjan 1972).

/// A node that was not met yet.
const NEW: u32 = u32::MAX;

/// The strongly connected components of what is reachable from the targets, each after those it depends on.
pub(super) fn components(
    count: usize,
    targets: &[u32],
    successors: impl Fn(u32, &mut dyn FnMut(u32)),
) -> Vec<Vec<u32>> {
    let mut walk = ComponentWalk {
        index: vec![NEW; count],
        low: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        met: 0,
        found: Vec::new(),
    };
    for target in targets {
        if walk.index[*target as usize] == NEW {
            walk.from(*target, &successors);
        }
    }
    walk.found
}

struct ComponentWalk {
    /// The order in which nodes were met.
    index: Vec<u32>,
    /// The first node on the stack that is known to be reachable from a node.
    low: Vec<u32>,
    on_stack: Vec<bool>,
    /// Nodes whose component is not complete.
    stack: Vec<u32>,
    met: u32,
    found: Vec<Vec<u32>>,
}

impl ComponentWalk {
    /// Walks in depth first. Calls are kept in a list: dependencies are deeper than the stack of a thread.
    fn from(&mut self, target: u32, successors: &impl Fn(u32, &mut dyn FnMut(u32))) {
        let mut calls = vec![(target, self.enter(target, successors))];
        while let Some((node, children)) = calls.last_mut() {
            let node = *node;
            match children.pop() {
                Some(child) if self.index[child as usize] == NEW => {
                    calls.push((child, self.enter(child, successors)));
                }
                Some(child) if self.on_stack[child as usize] => {
                    self.reaches(node, self.index[child as usize]);
                }
                Some(_) => {}
                None => {
                    calls.pop();
                    if let Some((parent, _)) = calls.last() {
                        self.reaches(*parent, self.low[node as usize]);
                    }
                    if self.low[node as usize] == self.index[node as usize] {
                        self.complete(node);
                    }
                }
            }
        }
    }

    /// Puts a node on the stack; returns its successors, the first one last.
    fn enter(&mut self, node: u32, successors: &impl Fn(u32, &mut dyn FnMut(u32))) -> Vec<u32> {
        self.index[node as usize] = self.met;
        self.low[node as usize] = self.met;
        self.met += 1;
        self.stack.push(node);
        self.on_stack[node as usize] = true;
        let mut children = Vec::new();
        successors(node, &mut |child| children.push(child));
        children.reverse();
        children
    }

    fn reaches(&mut self, node: u32, index: u32) {
        let low = &mut self.low[node as usize];
        *low = index.min(*low);
    }

    /// Takes the component of its first node off the stack.
    fn complete(&mut self, first: u32) {
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member as usize] = false;
            component.push(member);
            if member == first {
                break;
            }
        }
        component.reverse();
        self.found.push(component);
    }
}
