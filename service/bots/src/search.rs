//! Looks ahead: a tree that grows where it pays (PUCT). From a leaf of the tree everyone plays
//! greedily to the end of the round, and there the rules of thumb judge: in the middle of a round
//! they would not see who is left with the tiles that nobody wants.
//!
//! Deals inside a round are sampled anew on every visit, so a move is judged by the average over
//! deals that nobody knows; the deal of the next round is never looked at.

use azulejo_rules::parts::Seat;

use crate::greedy::{self, lead};
use crate::{Dice, Game, Points};

/// How far apart in points two seats are when the better one is nearly sure to win.
const CLEAR_LEAD: f32 = 8.0;
/// How much the search trusts its first impression.
const EXPLORATION: f32 = 1.1;
/// How sharply the first impression prefers the best move.
const SHARPNESS: f32 = 1.0;

/// How far the first impressions of two threads may differ: by half, up or down.
const VARIETY: f32 = 0.5;

/// The most edges that a tree may have, some 200 MB. A tree that has them all still learns: new
/// places are judged where they are met, and not kept.
const MOST_EDGES: usize = 4_000_000;

struct Edge<M> {
    action: M,
    prior: f32,
    visits: u32,
    worth: f32,
    /// Where it leads, by hash: several places if a deal follows.
    next: Vec<(u64, usize)>,
}

struct Node<M> {
    seat: Seat,
    visits: u32,
    edges: Vec<Edge<M>>,
}

/// A tree over one position.
pub struct Search<G: Game> {
    root: G,
    nodes: Vec<Node<G::Move>>,
    edges: usize,
    moves: G::Moves,
    dice: Dice,
    /// Whether first impressions are varied by chance.
    varied: bool,
}

impl<G: Game> std::fmt::Debug for Search<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<G: Game> Search<G> {
    /// A search that knows the position and its own dice; the position must be somebody's turn.
    pub fn new(root: G, seed: u64) -> Option<Self> {
        Self::grown_from(root, seed, false)
    }

    /// The same with first impressions varied by the seed. Where no deal is in sight, trees of
    /// several threads would otherwise differ only in how ties are broken, and tell little more
    /// than one.
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

    /// Follows one line from the root to a leaf and learns from it.
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

    /// Everyone plays greedily until the round is over.
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

    /// The chance of winning that these points promise to each seat.
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

    /// A new node for this position, its moves weighed by first impression.
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
