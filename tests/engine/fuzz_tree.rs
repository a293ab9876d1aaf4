//! Messages with wrong numbers in right places: the bytes are taken apart into fields, a field is
//! changed, left out, doubled or exchanged, and everything is put together again. No schema is
//! needed, so that every field of every message has its turn.

use azulejo_tests::Random;
use prost::encoding::{decode_varint, encode_varint};

struct Field {
    number: u64,
    value: Value,
}

enum Value {
    Number(u64),
    Message(Vec<Field>),
    /// Text, bytes or a packed list.
    Bytes(Vec<u8>),
}

const NUMBERS: [u64; 20] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 42, 255, 256, 65_535, 65_536, 4_294_967_295];

/// One to three changes.
pub(crate) fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let Some(mut fields) = read(bytes) else { return bytes.to_vec() };
    for _ in 0..=random.below(3) {
        match random.below(8) {
            0 | 1 => change_number(&mut fields, random),
            2..=4 => move_one(&mut fields, random),
            5 => change_bytes(&mut fields, random),
            _ => change_fields(&mut fields, random),
        }
    }
    write(&fields)
}

fn read(mut bytes: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = decode_varint(&mut bytes).ok()?;
        let number = key >> 3;
        let value = match key & 7 {
            0 => Value::Number(decode_varint(&mut bytes).ok()?),
            2 => {
                let length = usize::try_from(decode_varint(&mut bytes).ok()?).ok()?;
                let (inside, behind) = bytes.split_at_checked(length)?;
                bytes = behind;
                read(inside).map_or_else(|| Value::Bytes(inside.to_vec()), Value::Message)
            }
            // No request has a field of another kind.
            _ => return None,
        };
        if number == 0 || number > 20 {
            return None;
        }
        fields.push(Field { number, value });
    }
    Some(fields)
}

fn write(fields: &[Field]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Field { number, value } in fields {
        let inside = match value {
            Value::Number(value) => {
                encode_varint(number << 3, &mut bytes);
                encode_varint(*value, &mut bytes);
                continue;
            }
            Value::Message(fields) => write(fields),
            Value::Bytes(inside) => inside.clone(),
        };
        encode_varint(number << 3 | 2, &mut bytes);
        encode_varint(inside.len() as u64, &mut bytes);
        bytes.extend(inside);
    }
    bytes
}

/// Every number, with the number of its field.
fn numbers(fields: &mut [Field]) -> Vec<(u64, &mut u64)> {
    let mut all = Vec::new();
    for Field { number, value } in fields {
        match value {
            Value::Number(value) => all.push((*number, value)),
            Value::Message(fields) => all.extend(numbers(fields)),
            Value::Bytes(_) => {}
        }
    }
    all
}

fn change_number(fields: &mut [Field], random: &mut Random) {
    let mut all = numbers(fields);
    if all.is_empty() {
        return;
    }
    let at = random.below(all.len());
    let number = &mut *all[at].1;
    *number = match random.below(5) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => u64::MAX - random.below(3) as u64,
        _ => random.pick(&NUMBERS),
    };
}

/// Messages of nothing but a few numbers: heaps of tiles, most of them.
fn heaps(fields: &mut Vec<Field>) -> Vec<&mut Vec<Field>> {
    let plain = |field: &Field| matches!(field.value, Value::Number(_)) && field.number <= 6;
    if fields.iter().all(plain) {
        return vec![fields];
    }
    let inside = fields.iter_mut().filter_map(|field| match &mut field.value {
        Value::Message(fields) => Some(heaps(fields)),
        Value::Number(_) | Value::Bytes(_) => None,
    });
    inside.flatten().collect()
}

/// One less here, one more there: a tile moves from heap to heap, and nothing else changes.
fn move_one(fields: &mut Vec<Field>, random: &mut Random) {
    let mut heaps = heaps(fields);
    let full: Vec<usize> = (0..heaps.len()).filter(|&at| !heaps[at].is_empty()).collect();
    if full.is_empty() {
        return;
    }
    let from = random.pick(&full);
    let at = random.below(heaps[from].len());
    let number = heaps[from][at].number;
    add(heaps[from], number, u64::MAX);
    let to = random.below(heaps.len());
    add(heaps[to], number, 1);
}

fn add(heap: &mut Vec<Field>, number: u64, more: u64) {
    for field in heap.iter_mut().filter(|field| field.number == number) {
        if let Value::Number(count) = &mut field.value {
            *count = count.wrapping_add(more);
            return;
        }
    }
    heap.push(Field { number, value: Value::Number(more) });
}

fn change_bytes(fields: &mut [Field], random: &mut Random) {
    fn collect(fields: &mut [Field]) -> Vec<&mut Vec<u8>> {
        let mut all = Vec::new();
        for Field { value, .. } in fields {
            match value {
                Value::Number(_) => {}
                Value::Message(fields) => all.extend(collect(fields)),
                Value::Bytes(bytes) => all.push(bytes),
            }
        }
        all
    }
    let mut all = collect(fields);
    if all.is_empty() {
        return;
    }
    let at = random.below(all.len());
    let bytes = &mut *all[at];
    let small = u8::try_from(random.below(8)).unwrap_or(0);
    match (bytes.is_empty(), random.below(4)) {
        (true, _) | (_, 0) => bytes.push(small),
        (_, 1) => drop(bytes.pop()),
        (_, _) => {
            let at = random.below(bytes.len());
            bytes[at] = small;
        }
    }
}

/// Leaves out, doubles or exchanges fields of one message, or puts a number into it.
fn change_fields(fields: &mut Vec<Field>, random: &mut Random) {
    // Deeper with the same chance at each step.
    let inner: Vec<usize> =
        (0..fields.len()).filter(|&at| matches!(fields[at].value, Value::Message(_))).collect();
    if !inner.is_empty() && random.below(4) > 0 {
        let at = random.pick(&inner);
        if let Value::Message(inside) = &mut fields[at].value {
            return change_fields(inside, random);
        }
    }
    let (one, other) = (random.below(fields.len() + 1), random.below(fields.len() + 1));
    match random.below(4) {
        0 if one < fields.len() => drop(fields.remove(one)),
        1 if one < fields.len() => {
            let bytes = write(&fields[one..=one]);
            let double = read(&bytes).unwrap_or_default();
            fields.extend(double);
        }
        2 if one < fields.len() && other < fields.len() => {
            let number = fields[one].number;
            fields[one].number = fields[other].number;
            fields[other].number = number;
        }
        _ => {
            let number = 1 + random.below(15) as u64;
            fields.push(Field { number, value: Value::Number(random.pick(&NUMBERS)) });
        }
    }
}
