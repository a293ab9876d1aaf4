//! One search tree.

use azulejo_bots::Dice;
use azulejo_rules::parts::Seat;

use super::SearchOptions;
use super::noise::dirichlet;
use crate::Returns;
use crate::position::Position;

/// The most positions of a tree: a full one still learns, but new positions are not stored.
const MOST_NODES: usize = 200_000;
/// The most finished games that one request evaluates by itself.
const MOST_ENDS: usize = 32;

#[derive(Clone, Debug)]
struct Edge<M> {
    action: M,
    id: u16,
    prior: f32,
    visits: u32,
    worth: f32,
    /// The positions that it leads to, by hash: several if a deal follows.
    next: Vec<(u64, usize)>,
}

#[derive(Clone, Debug)]
struct Node<P: Position> {
    position: P,
    seat: Seat,
    visits: u32,
    edges: Vec<Edge<P::Move>>,
}

#[derive(Clone, Debug)]
pub(super) struct Tree<P: Position> {
    nodes: Vec<Node<P>>,
    /// The position that waits for the network, if there is one.
    waiting: Option<P>,
    /// Nodes and edges from the root to it.
    path: Vec<(usize, usize)>,
    dice: Dice,
    worth: [f32; 4],
}

impl<P: Position> Tree<P> {
    pub(super) fn new(root: P, seed: u64) -> Self {
        let dice = Dice::new(seed);
        Self { nodes: Vec::new(), waiting: Some(root), path: Vec::new(), dice, worth: [0.0; 4] }
    }

    pub(super) fn restart(&mut self, root: P) {
        *self = Self::new(root, self.dice.word());
    }

    /// The position that the network has to evaluate; none if only finished games were met.
    pub(super) fn request(&mut self, options: &SearchOptions) -> Option<P> {
        for _ in 0..MOST_ENDS {
            if self.waiting.is_some() {
                break;
            }
            self.descend(options);
        }
        self.waiting
    }

    /// The position that waits.
    pub(super) const fn leaf(&self) -> Option<P> {
        self.waiting
    }

    /// From the root to a position that is not in the tree, or to the end of the game.
    fn descend(&mut self, options: &SearchOptions) {
        self.path.clear();
        let mut at = 0;
        loop {
            let chosen = self.choose(at, options.exploration);
            self.path.push((at, chosen));
            let mut position = self.nodes[at].position;
            let edge = &self.nodes[at].edges[chosen];
            position.play(edge.action);
            let is_chance = position.awaits_deal();
            if is_chance && edge.next.len() >= options.outcomes.max(1) {
                at = edge.next[self.dice.below(edge.next.len())].1;
                continue;
            }
            position.deal(&mut self.dice);
            if position.is_over() {
                let mut returns = [0.0; 4];
                let seats = position.players().seats();
                Returns::Win.write(&position, &mut returns[..seats]);
                return self.back_up(&returns);
            }
            let hash = azulejo_bots::Game::hash(&position);
            let known = edge.next.iter().find(|&&(known, _)| known == hash);
            let Some(&(_, next)) = known else {
                self.waiting = Some(position);
                return;
            };
            at = next;
        }
    }

    /// The edge with the best sum of mean worth and exploration.
    fn choose(&self, at: usize, exploration: f32) -> usize {
        let node = &self.nodes[at];
        let pull = exploration * (node.visits.max(1) as f32).sqrt();
        let worth: f32 = node.edges.iter().map(|edge| edge.worth).sum();
        let unseen = worth / node.visits.max(1) as f32;
        let score = |edge: &Edge<P::Move>| {
            let mean = if edge.visits == 0 { unseen } else { edge.worth / edge.visits as f32 };
            mean + pull * edge.prior / (1.0 + edge.visits as f32)
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in node.edges.iter().enumerate() {
            let score = score(edge);
            if score > best.0 {
                best = (score, index);
            }
        }
        best.1
    }

    fn back_up(&mut self, returns: &[f32; 4]) {
        for &(node, edge) in &self.path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.edges[edge].visits += 1;
            node.edges[edge].worth += returns[node.seat.index()];
        }
        for (worth, &value) in self.worth.iter_mut().zip(returns) {
            *worth += value;
        }
    }

    /// Takes what the network says of the position that waits: a number per action, and the values of
    /// the seats, clockwise from the one that has to decide.
    pub(super) fn submit(&mut self, logits: &[f32], values: &[f32], options: &SearchOptions) {
        let Some(position) = self.waiting.take() else { return };
        let seat = position.to_move().unwrap_or(Seat::First);
        let players = position.players();
        let mut returns = [0.0; 4];
        for (&value, seat) in values.iter().zip(players.clockwise_from(seat)) {
            returns[seat.index()] = value;
        }
        let new = self.nodes.len();
        if new < MOST_NODES {
            if let Some(&(node, edge)) = self.path.last() {
                let hash = azulejo_bots::Game::hash(&position);
                self.nodes[node].edges[edge].next.push((hash, new));
            }
            let mut edges = edges(&position, logits);
            if new == 0 && options.noise > 0.0 {
                let noise = dirichlet(edges.len(), options.alpha, &mut self.dice);
                for (edge, noise) in edges.iter_mut().zip(noise) {
                    edge.prior += options.noise * (noise - edge.prior);
                }
            }
            self.nodes.push(Node { position, seat, visits: 0, edges });
        }
        if new == 0 {
            // The root itself: nothing led to it.
            return;
        }
        self.back_up(&returns);
    }

    pub(super) fn visits(&self, visits: &mut [u32]) {
        visits.fill(0);
        for edge in self.nodes.first().into_iter().flat_map(|root| &root.edges) {
            visits[usize::from(edge.id)] = edge.visits;
        }
    }

    pub(super) fn values(&self, values: &mut [f32]) {
        let visits = self.nodes.first().map_or(0, |root| root.visits);
        for (value, &worth) in values.iter_mut().zip(&self.worth) {
            *value = if visits == 0 { 0.0 } else { worth / visits as f32 };
        }
    }
}

/// The legal moves, with priors by the numbers of the network (softmax).
fn edges<P: Position>(position: &P, logits: &[f32]) -> Vec<Edge<P::Move>> {
    let mut moves = P::Moves::default();
    position.list(&mut moves);
    // Of moves that are all masked, each is equally promising.
    let logit = |id: u16| logits[usize::from(id)].max(f32::MIN);
    let most =
        moves.iter().map(|&action| logit(position.id(action))).fold(f32::NEG_INFINITY, f32::max);
    let mut edges: Vec<_> = moves
        .iter()
        .map(|&action| {
            let id = position.id(action);
            let prior = (logit(id) - most).exp();
            Edge { action, id, prior, visits: 0, worth: 0.0, next: Vec::new() }
        })
        .collect();
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    for edge in &mut edges {
        edge.prior /= sum;
    }
    edges
}
