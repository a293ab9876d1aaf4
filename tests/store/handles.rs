//! Several handles on one store, one after another or at the same time.

use azulejo_arena::store::open;
use rstest::rstest;
use tokio::task::JoinSet;

use crate::backends::Lasting;
use crate::fixtures::*;

#[rstest]
#[case::in_a_file(Lasting::in_a_file())]
#[case::in_a_database(Lasting::in_a_database())]
#[tokio::test]
async fn two_handles_on_one_store_fence_each_other(#[case] place: Lasting) {
    let (one, two) = (place.open().await, place.open().await);
    let first = with_alice_and_bob(&*one).await;
    let second = two.take_over("two").await.unwrap();
    assert_fenced(one.commit(first, &[ladder(1)]).await);
    two.commit(second, &[ladder(2)]).await.unwrap();
    assert!(one.find(&id(2)).await.unwrap().is_some());
    let third = one.take_over("one").await.unwrap();
    assert_fenced(two.renew(second).await);
    one.commit(third, &[ladder(3)]).await.unwrap();
}

#[rstest]
#[case::in_a_file(Lasting::in_a_file())]
#[case::in_a_database(Lasting::in_a_database())]
#[tokio::test]
async fn several_arenas_may_make_the_store_at_the_same_time(#[case] place: Lasting) {
    let mut all = JoinSet::new();
    for _ in 0..8 {
        let address = place.address.clone();
        all.spawn(async move {
            let store = open(&address).await.unwrap();
            store.take_over("one of eight").await.unwrap().0
        });
    }
    let mut epochs = all.join_all().await;
    epochs.sort_unstable();
    assert_eq!(epochs, [1, 2, 3, 4, 5, 6, 7, 8]);
}
