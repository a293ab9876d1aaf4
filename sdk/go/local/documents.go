package local

import (
	"encoding/json"
	"slices"
)

// Layout says where each part of a position is in its observation.
type Layout struct {
	// Version is of the layout: a changed layout gets a new name.
	Version string `json:"version"`
	// Hash differs whenever the layout does, hexadecimal: store it with a trained network.
	Hash string `json:"hash"`
	// Size is the length of an observation, Actions that of a mask.
	Size     int       `json:"size"`
	Actions  int       `json:"actions"`
	Players  int       `json:"players"`
	Sections []Section `json:"sections"`
}

// Section is a part of an observation.
type Section struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Shape  []int  `json:"shape"`
	// Scale is the divisor of its values.
	Scale int `json:"scale"`
}

// Verified is what a verified record says.
type Verified struct {
	Ruleset string `json:"ruleset"`
	// Position is the last one, in the notation.
	Position string `json:"position"`
	// Finished reports whether the game was played to its end.
	Finished bool  `json:"finished"`
	Scores   []int `json:"scores"`
	Ranks    []int `json:"ranks"`
	Winners  []int `json:"winners"`
}

// Layout returns the layout of a ruleset; a copy.
func (e *Engine) Layout(ruleset string) (*Layout, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	layout, err := e.layoutOf(ruleset)
	if err != nil {
		return nil, err
	}
	return layout.copied(), nil
}

// layoutOf is Layout inside of a call; all games share the result.
func (e *Engine) layoutOf(ruleset string) (*Layout, error) {
	if layout, known := e.layouts[ruleset]; known {
		return layout, nil
	}
	input, err := lines(ruleset)
	if err != nil {
		return nil, err
	}
	if _, err := e.checkText(fnLayout, input); err != nil {
		return nil, err
	}
	output, err := e.output()
	if err != nil {
		return nil, err
	}
	layout := new(Layout)
	if err := json.Unmarshal(output, layout); err != nil {
		return nil, failed(err.Error())
	}
	e.layouts[ruleset] = layout
	return layout, nil
}

// copied is for the caller, who may change it.
func (l *Layout) copied() *Layout {
	copied := *l
	copied.Sections = slices.Clone(l.Sections)
	for at := range copied.Sections {
		copied.Sections[at].Shape = slices.Clone(copied.Sections[at].Shape)
	}
	return &copied
}

// Verify verifies a record, the JSON of a finished game or match: every deal, every move, the result,
// and for a match of the arena the commitment, the clocks and the placements. The error names the first
// defect; its reason is FALSE_RECORD, or BAD_RECORD for a text that is not a record.
func (e *Engine) Verify(record string) (*Verified, error) {
	output, err := e.answer(fnVerify, record)
	if err != nil {
		return nil, err
	}
	verified := new(Verified)
	if err := json.Unmarshal(output, verified); err != nil {
		return nil, failed(err.Error())
	}
	return verified, nil
}
