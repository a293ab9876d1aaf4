"""The check finds what it should, leaves alone what it should, and can fail."""

import unittest

from check import Allowed, Finding, findings, is_read, judge, within

BAD = {
    "a.md": [
        "Whoever asks gets an answer.",
        "The bot is told.",
        "Nobody knows.",
        "It is computed anew.",
        "a version that cannot be had",
        "{} is no filter",
        "these are no certificate",
        "Default: one a core.",
        "What stands today",
        "as things stand",
        "## Map of the house",
        "It waits for ever.",
        "The bot is\ntold.",
    ],
    "a.rs": [
        "/// Somebody else.",
        "    // a call that is\n    // no call",
        "fn nobody_is_asked() {}",
        "struct Hall;",
        "use azulejo_arena::desk::Arena;",
        "const LETTERS: usize = 1;",
        "fn in_workshop() {}\nlet workshop = 1;",
    ],
    "run": ["# The suite is\n# told so."],
}

GOOD = {
    "a.md": [
        "There is no filter.",
        "If there\nis no filter, everything passes.",
        "If there\n    is no filter, everything passes.",
        "It is no longer open.",
        "The default is one per core.",
        "for every bot",
        "Only one arena can own a store.",
        "The letters of the colors: BYRKW.",
        "the desktop, a hallway, a Hall of the museum",
    ],
    "a.rs": [
        "fn letter(color: Color) -> char {}",
        "struct Told;",
        "let is_no = 1;",
        "/// Its letter in notation.",
    ],
}


class Finds(unittest.TestCase):
    """Samples."""

    def test_bad_samples_are_found(self):
        for path, samples in BAD.items():
            for sample in samples:
                with self.subTest(sample):
                    self.assertTrue(list(findings(path, sample)))

    def test_good_samples_are_not(self):
        for path, samples in GOOD.items():
            for sample in samples:
                with self.subTest(sample):
                    self.assertEqual(list(findings(path, sample)), [])

    def test_a_finding_names_line_word_and_replacement(self):
        found = list(findings("a.rs", "// one\n// two\n//! the caller\n//! is told\n"))

        self.assertEqual([finding.line for finding in found], [4])
        self.assertEqual(found[0].word, "is told")
        self.assertIn("receives", found[0].instead)
        self.assertEqual(
            judge(found, []), [f'a.rs:4: "is told"; write instead: {found[0].instead}']
        )


class Judges(unittest.TestCase):
    """Allowances."""

    finding = Finding("a.rs", 7, "Nobody", "no bot")

    def test_an_allowance_is_for_one_word_of_one_file(self):
        allowed = Allowed("a.rs", "nobody", "a quotation")

        self.assertEqual(judge([self.finding], [allowed]), [])
        self.assertEqual(len(judge([self.finding._replace(path="b.rs")], [allowed])), 2)
        self.assertEqual(len(judge([self.finding._replace(word="anew")], [allowed])), 2)

    def test_an_allowance_without_a_finding_is_a_problem(self):
        self.assertEqual(len(judge([], [Allowed("a.rs", "nobody", "a quotation")])), 1)


class Chooses(unittest.TestCase):
    """Which files are read."""

    def test_prose_and_code_are_read(self):
        for path in ("a/b.rs", "README.md", "tests/run", "deploy/docker/Dockerfile", "x.schema.json"):
            self.assertTrue(is_read(path), path)

    def test_generated_files_and_data_are_not(self):
        for path in ("sdk/go/gen/a.go", "tests/golden/draw.json", "Cargo.lock", "LICENSE"):
            self.assertFalse(is_read(path), path)

    def test_a_folder_holds_what_is_in_it_and_nothing_else(self):
        self.assertTrue(within("service/arena/src/lib.rs", ("service/arena",)))
        self.assertFalse(within("service/arenas.rs", ("service/arena",)))


if __name__ == "__main__":
    unittest.main()
