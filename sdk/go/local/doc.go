// Package local has both games inside your program: for search, for learning, and for statistics. No
// server is required, and no C compiler: the engine is a WebAssembly module inside the package.
//
//	engine, err := local.Open()
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	game, err := engine.New("azul-colored-2", local.Seed(7))
//	if err != nil {
//		return err
//	}
//	for !game.IsTerminal() {
//		if err := game.Apply(int(game.Legal()[0])); err != nil {
//			return err
//		}
//	}
//	fmt.Println(game.Scores())
//
// An [Engine], with its games and batches, belongs to one goroutine at a time. Open one for each: they
// share the compiled code. A call while another one is running is refused with the reason BUSY.
//
// A slice that a game returns is valid until the next call of the same method of that game; the slices of a
// [Batch] are written by each of its calls.
//
// What is refused is an [*Error] with a stable reason, and changes nothing. Methods that return no
// error can only fail if the game is closed or the engine is misused: then they return zero values, a
// closed game is terminal, and [Engine.Err] says why.
package local
