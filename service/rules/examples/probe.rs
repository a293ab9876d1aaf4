use azulejo_rules::azul::*;
use azulejo_rules::parts::*;
struct Fast(u64);
impl Fast {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }
    fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(n)) >> 32) as u32
    }
}
impl Chance<Color> for Fast {
    fn draw(&mut self, bag: Tiles<Color>, _: u32) -> Color {
        let i = self.below(u32::from(bag.total()));
        bag.nth(i).unwrap_or(Color::Blue)
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    println!("size {} move {}", size_of::<Position>(), size_of::<Move>());
    if a[1] == "perft" {
        let mut p = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
        for d in ["BBYR", "BYKW", "YYRK", "RKKW", "WWWB"] {
            let t = Word { text: d, at: 1 }.tiles().unwrap();
            p.deal_exactly(t, &mut ()).unwrap();
        }
        println!("{p}");
        println!("{}", p.perft(a[2].parse().unwrap()));
    } else {
        let games: u32 = a[2].parse().unwrap();
        let mut f = Fast(7);
        let mut steps = 0u64;
        let mut lm = 0u64;
        let mut list = MoveList::new();
        let mut rounds = 0u64;
        let mut sc = 0u64;
        for _ in 0..games {
            let mut p = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
            loop {
                match p.phase() {
                    Phase::Deal => p.deal_all(&mut f, &mut ()),
                    Phase::Over(_) => break,
                    _ => {
                        p.collect_moves(&mut list);
                        lm += list.len() as u64;
                        let m = list[f.below(list.len() as u32) as usize];
                        p.play_unchecked(m, &mut ());
                        steps += 1;
                    }
                }
            }
            rounds += u64::from(p.round());
            for s in &p.score().seats {
                sc += u64::from(s.total());
            }
        }
        println!(
            "steps/game {} legal {} rounds {} score {} steps {steps}",
            steps as f64 / games as f64,
            lm as f64 / steps as f64,
            rounds as f64 / games as f64,
            sc as f64 / games as f64 / 2.
        );
    }
}
