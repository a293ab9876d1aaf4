//! Tree search (PUCT). From a leaf of the tree all seats play greedily to the end of the round, where
//! the heuristic evaluates the position: in the middle of a round it would not see which seat is
//! left with the tiles that no seat wants.
//!
//! Deals within a round are sampled again on every visit, so that a move is evaluated by its average
//! over unknown deals; the deal of the next round is not searched.

use azulejo_rules::parts::Seat;

use crate::greedy::{self, lead};
use crate::{Dice, Game, Points};

/// Difference in points at which the better seat is nearly sure to win.
const CLEAR_LEAD: f32 = 8.0;
/// Exploration constant: the weight of the priors.
const EXPLORATION: f32 = 1.1;
/// Temperature of the priors: how strongly they prefer the best move.
const SHARPNESS: f32 = 1.0;

/// How much the priors of two threads may differ: by half, up or down.
const VARIETY: f32 = 0.5;

/// Maximum number of edges of a tree, about 200 MB. A full tree still learns: new positions are
/// evaluated, but not stored.
const MOST_EDGES: usize = 4_000_000;

struct Edge<M> {
    action: M,
    prior: f32,
    visits: u32,
    worth: f32,
    /// The positions that it leads to, by hash: several if a deal follows.
    next: Vec<(u64, usize)>,
}

struct Node<M> {
    seat: Seat,
    visits: u32,
    edges: Vec<Edge<M>>,
}

/// The search tree of one position.
pub struct Search<G: Game> {
    root: G,
    nodes: Vec<Node<G::Move>>,
    edges: usize,
    moves: G::Moves,
    dice: Dice,
    /// Whether priors are perturbed.
    varied: bool,
}

impl<G: Game> std::fmt::Debug for Search<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<G: Game> Search<G> {
    /// A search of a position, which must be a seat's turn.
    pub fn new(root: G, seed: u64) -> Option<Self> {
        Self::grown_from(root, seed, false)
    }

    /// The same with priors perturbed by the seed. If no deal follows, the trees of several threads
    /// would otherwise differ only in how ties are broken, and be worth little more than one.
    pub fn varied(root: G, seed: u64) -> Option<Self> {
        Self::grown_from(root, seed, true)
    }

    fn grown_from(root: G, seed: u64, varied: bool) -> Option<Self> {
        let mut search = Self {
            root,
            nodes: Vec::new(),
            edges: 0,
            moves: G::Moves::default(),
            dice: Dice::new(seed),
            varied,
        };
        search.expand(&root)?;
        Some(search)
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Visits of each move of the root, in the order of the legal moves.
    pub fn visits(&self) -> impl Iterator<Item = (G::Move, u32)> {
        self.nodes[0].edges.iter().map(|edge| (edge.action, edge.visits))
    }

    /// One iteration: from the root to a leaf, and back with its value.
    pub fn visit(&mut self) {
        let mut position = self.root;
        let mut path = Vec::with_capacity(32);
        let mut at = 0;
        let points = loop {
            let chosen = self.choose(at);
            path.push((at, chosen));
            position.play(self.nodes[at].edges[chosen].action);
            if position.is_over() || position.is_between_rounds() {
                break position.value();
            }
            position.deal(&mut self.dice);
            let hash = position.hash();
            let known = self.nodes[at].edges[chosen].next.iter().find(|&&(to, _)| to == hash);
            if let Some(&(_, next)) = known {
                at = next;
            } else {
                let new = self.nodes.len();
                if self.edges < MOST_EDGES && self.expand(&position).is_some() {
                    self.nodes[at].edges[chosen].next.push((hash, new));
                }
                break self.finish_round(position).value();
            }
        };
        let worths = self.worths(&points);
        for (node, edge) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.edges[edge].visits += 1;
            node.edges[edge].worth += worths[node.seat.index()];
        }
    }

    /// All seats play greedily until the round is over.
    fn finish_round(&mut self, mut position: G) -> G {
        while !position.is_over() && !position.is_between_rounds() {
            position.deal(&mut self.dice);
            let Some(action) = greedy::choose_with(&position, &mut self.dice, &mut self.moves)
            else {
                break;
            };
            position.play(action);
        }
        position
    }

    /// The probability of winning of each seat, from the expected points.
    fn worths(&self, points: &Points) -> Points {
        let seats = self.root.players().seats();
        let mut worths = [0.0; 4];
        for seat in self.root.players().iter() {
            let ahead = lead(points, seat, seats) / CLEAR_LEAD;
            worths[seat.index()] = 1.0 / (1.0 + (-ahead).exp());
        }
        worths
    }

    fn choose(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let pull = EXPLORATION * (node.visits as f32 + 1.0).sqrt();
        let known: u32 = node.visits.max(1);
        let mean = node.edges.iter().map(|edge| edge.worth).sum::<f32>() / known as f32;
        let unseen = if node.visits == 0 { 0.5 } else { (mean - 0.1).max(0.0) };
        let score = |edge: &Edge<G::Move>| {
            let worth = if edge.visits == 0 { unseen } else { edge.worth / edge.visits as f32 };
            worth + pull * edge.prior / (1.0 + edge.visits as f32)
        };
        let mut best = (f32::MIN, 0);
        for (index, edge) in node.edges.iter().enumerate() {
            let score = score(edge);
            if score > best.0 {
                best = (score, index);
            }
        }
        best.1
    }

    /// A new node for this position, with the priors of its moves.
    fn expand(&mut self, position: &G) -> Option<()> {
        let seat = position.to_move()?;
        let seats = position.players().seats();
        position.list(&mut self.moves);
        let leads: Vec<f32> = self
            .moves
            .iter()
            .map(|&action| {
                let mut next = *position;
                next.play(action);
                lead(&next.value(), seat, seats)
            })
            .collect();
        let most = leads.iter().copied().fold(f32::MIN, f32::max);
        let mut weights: Vec<f32> =
            leads.iter().map(|lead| ((lead - most) / SHARPNESS).exp()).collect();
        if self.varied {
            for weight in &mut weights {
                *weight *= 1.0 + VARIETY * (self.dice.share() * 2.0 - 1.0);
            }
        }
        let sum: f32 = weights.iter().sum();
        let edges = self.moves.iter().zip(weights).map(|(&action, weight)| Edge {
            action,
            prior: weight / sum,
            visits: 0,
            worth: 0.0,
            next: Vec::new(),
        });
        let edges: Vec<Edge<G::Move>> = edges.collect();
        self.edges += edges.len();
        self.nodes.push(Node { seat, visits: 0, edges });
        Some(())
    }
}
