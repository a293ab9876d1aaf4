// What the module exports: see service/wasm/src/exports.rs. A call returns -1 if it is refused.

export interface Exports {
  readonly memory: WebAssembly.Memory;

  room(bytes: number): number;
  place(which: number): number;
  living(): number;
  rulesets(): number;

  game_new(length: number): number;
  game_parse(length: number): number;
  game_observed(length: number, values: number): number;
  game_state(length: number, bytes: number): number;
  game_clone(game: number): number;
  game_copy(game: number, from: number): number;
  game_free(game: number): number;
  game_status(game: number): number;
  game_ruleset(game: number): number;
  game_round(game: number): number;
  game_legal(game: number): number;
  game_mask(game: number): number;
  game_apply(game: number, action: number): number;
  game_apply_text(game: number, length: number): number;
  game_action_text(game: number, action: number): number;
  game_action_id(game: number, length: number): number;
  game_outcomes(game: number): number;
  game_deal(game: number, length: number): number;
  game_sample(game: number, number: bigint): number;
  game_returns(game: number, length: number): number;
  game_scores(game: number): number;
  game_ranks(game: number): number;
  game_observe(game: number, seat: number): number;
  game_observe_scaled(game: number, seat: number): number;
  game_hash(game: number): number;
  game_text(game: number): number;
  game_svg(game: number): number;
  game_drawing(game: number): number;
  game_best_move(game: number, length: number, seed: bigint): number;
  game_play_out(game: number, seed: bigint): number;
  game_playouts(game: number, length: number, games: number, seed: bigint): number;

  batch_new(length: number): number;
  batch_places(batch: number): number;
  batch_step(batch: number): number;
  batch_reset(batch: number, seed: bigint): number;
  batch_observe(batch: number): number;
  batch_sample(batch: number): number;
  batch_game(batch: number, index: number): number;
  batch_free(batch: number): number;

  layout(length: number): number;
  verify(length: number): number;
}
