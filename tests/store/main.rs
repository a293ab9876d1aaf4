//! What a store promises, checked on every kind of store.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "output for the parent process, and measurements")]

mod backends;
mod fixtures;
mod model;
mod whole_batches;

mod accounts;
mod batches;
mod boundary_values;
mod broken_connections;
mod corrupt;
mod database;
mod database_crashes;
mod failed_commits;
mod fencing;
mod file;
mod handles;
mod holders;
mod matches;
mod organisers;
mod pages;
mod processes;
mod property;
mod recent;
mod retention;
mod secrets;
mod speed;
mod standings;

/// Every test on every store.
macro_rules! suite {
    ($($file:ident: $($test:ident)*;)*) => { suite! {
        @ [$($($file $test),*),*]
        in_a_file: crate::backends::Fresh::in_a_file();
        in_memory: crate::backends::Fresh::in_memory();
        in_a_database: crate::backends::Fresh::in_a_database();
    } };
    (@ $tests:tt $($place:ident: $fresh:expr;)*) => { $(
        mod $place { suite! { @@ $tests $fresh } }
    )* };
    (@@ [$($file:ident $test:ident),*] $fresh:expr) => { $(
        #[tokio::test]
        async fn $test() {
            crate::$file::$test($fresh.await).await;
        }
    )* };
}

suite! {
    accounts:
        a_new_store_is_empty
        owners_bots_and_versions_come_back_in_their_order
        an_owner_registers_once
        a_bot_needs_its_owner_and_is_there_once
        a_version_needs_its_bot_and_is_declared_once
        a_token_is_valid_until_it_is_revoked_and_never_again
        a_token_needs_its_holder
        an_invitation_is_used_once
        a_bot_is_paused_and_plays_again;
    matches:
        a_called_match_runs_until_it_ends
        a_match_is_called_once_and_by_bots_that_are_there
        events_come_back_in_their_order
        a_list_reads_the_summary_instead_of_the_events
        an_event_is_the_next_one_or_refused
        a_match_that_is_over_takes_no_more_events
        the_end_of_a_match_is_written_everywhere
        a_match_ends_once
        an_end_has_as_many_seats_as_its_match
        a_match_with_a_seat_of_the_house_is_never_rated
        an_unrated_end_is_not_an_outcome
        standings_are_those_after_the_last_match
        every_end_is_delivered_to_every_remote_seat_once;
    retention:
        an_archived_match_is_read_as_before
        a_match_is_archived_once_and_when_it_is_over
        a_former_holder_archives_and_deletes_nothing
        the_result_of_an_archived_match_is_voided_like_any_other
        old_challenges_are_deleted_and_nothing_else;
    organisers:
        an_owner_is_banned_until_the_ban_ends
        a_pause_of_an_organiser_differs_from_an_automatic_one
        a_voided_result_is_an_outcome_no_longer
        only_a_finished_match_loses_its_result
        a_rating_is_removed
        the_audit_log_is_read_backwards_in_pages
        an_act_is_logged_with_what_it_changes_or_not_at_all
        owners_are_listed_with_their_bots_and_bans
        tokens_are_listed_without_their_hashes_for_everyone_or_for_one_owner
        invitations_are_listed_with_whether_they_were_used;
    recent:
        the_last_fifty_ladder_matches_of_a_bot_are_remembered
        recent_matches_are_ordered_by_their_end
        the_last_thousand_meetings_of_a_pool_are_remembered_in_their_order
        the_formula_of_the_ratings_is_the_first_one_until_it_is_changed;
    batches:
        a_batch_is_whole_or_not_at_all
        writes_of_a_batch_see_those_before_them
        an_empty_batch_only_checks_the_holder
        batches_at_the_same_time_are_all_written
        a_batch_whose_caller_gives_up_is_whole_or_not_at_all;
    holders:
        a_new_store_has_no_holder
        a_take_over_fences_the_former_holder
        a_fenced_batch_leaves_nothing
        batches_acknowledged_to_a_former_holder_are_written
        a_renewal_updates_the_last_sign_of_the_holder
        a_released_store_looks_abandoned;
    pages:
        filters_choose_matches
        a_bot_that_plays_itself_finds_its_match_once
        pages_have_no_gaps_and_no_doubles_while_matches_are_added
        ends_are_exported_in_their_order
        outcomes_are_paged_in_their_order;
    boundary_values:
        every_pool_comes_back
        every_bit_of_a_number_comes_back
        a_standing_that_is_not_a_number_is_refused
        the_largest_values_come_back
        any_text_comes_back;
    secrets:
        nothing_secret_is_ever_shown;
}
