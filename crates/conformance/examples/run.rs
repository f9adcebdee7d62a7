//! scratch
fn main() {
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name).unwrap();
        match conformance::run_file(&name, &text) {
            Ok(cases) => {
                let mut n = [0; 3];
                for c in &cases {
                    n[match c.verdict {
                        conformance::Verdict::Pass => 0,
                        conformance::Verdict::Fail => 1,
                        conformance::Verdict::Differs => 2,
                    }] += 1;
                    if c.verdict != conformance::Verdict::Pass || std::env::var("ALL").is_ok() {
                        println!("{} {} {}: {}", c.verdict.name(), c.file, c.id, c.reason);
                    }
                }
                println!("== {name}: {} pass {} fail {} differ", n[0], n[1], n[2]);
            }
            Err(e) => println!("ERROR {e}"),
        }
    }
}
