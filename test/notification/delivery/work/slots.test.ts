import { describe, expect, test } from 'bun:test';
import { PROMPT_MS, Slots } from '../../../../src/notification/delivery/work/slots.ts';

const ADDRESS = '10.0.0.1:443';
const OTHER = '10.0.0.2:443';
const PROMPT = { delivered: true, ms: PROMPT_MS };

function promptSlots(total: number, perReceiver: number, ...prompt: number[]): Slots {
  const slots = new Slots({ total, perReceiver });
  for (const id of prompt) slots.recordAttempt(id, PROMPT);
  return slots;
}

const take = (slots: Slots, id: number, receiver: string) =>
  slots.take(id, `https://${id}.exemplo/`, receiver);

describe('a subscription that answers promptly', () => {
  test('gets no more than all slots of its receiver', () => {
    const slots = promptSlots(100, 3, 1);
    take(slots, 1, ADDRESS);
    take(slots, 1, ADDRESS);
    expect(slots.admits(1, ADDRESS)).toBe(true);
    const third = take(slots, 1, ADDRESS);
    expect(slots.admits(1, ADDRESS)).toBe(false);
    expect(slots.admits(1, OTHER)).toBe(true);
    third.release();
    expect(slots.admits(1, ADDRESS)).toBe(true);
  });

  test('gets at most all slots', () => {
    const slots = promptSlots(2, 5, 1, 2);
    take(slots, 1, ADDRESS);
    expect(slots.admits(2, OTHER)).toBe(true);
    take(slots, 2, OTHER);
    expect(slots.hasRoom).toBe(false);
    expect(slots.admits(1, '10.0.0.3:443')).toBe(false);
  });

  test('shares the slots of its address with all others there', () => {
    const slots = promptSlots(100, 2, 1, 2, 3);
    take(slots, 1, ADDRESS);
    take(slots, 2, ADDRESS);
    expect(slots.admits(3, ADDRESS)).toBe(false);
  });
});

describe('a subscription that has not answered promptly', () => {
  test('shares half of the slots of its receiver', () => {
    const slots = promptSlots(100, 4, 9);
    take(slots, 1, ADDRESS);
    expect(slots.admits(2, ADDRESS)).toBe(true);
    take(slots, 2, ADDRESS);
    expect(slots.admits(3, ADDRESS)).toBe(false);
    expect(slots.admits(9, ADDRESS)).toBe(true);
  });

  test('shares half of all slots, and gets a second one only from the first quarter', () => {
    const slots = promptSlots(8, 8, 9);
    take(slots, 1, ADDRESS);
    expect(slots.admits(1, ADDRESS)).toBe(true);
    take(slots, 1, ADDRESS);
    expect(slots.admits(1, ADDRESS)).toBe(false);
    expect(slots.admits(2, OTHER)).toBe(true);
    take(slots, 2, OTHER);
    take(slots, 3, '10.0.0.3:443');
    expect(slots.admits(4, '10.0.0.4:443')).toBe(false);
    expect(slots.admits(9, '10.0.0.9:443')).toBe(true);
  });

  test('is one that failed, or took a millisecond too long', () => {
    const slots = promptSlots(2, 2, 1, 2);
    slots.recordAttempt(1, { delivered: true, ms: PROMPT_MS + 1 });
    slots.recordAttempt(2, { delivered: false, ms: 1 });
    take(slots, 3, ADDRESS);
    expect(slots.admits(1, OTHER)).toBe(false);
    expect(slots.admits(2, OTHER)).toBe(false);
    slots.recordAttempt(2, PROMPT);
    expect(slots.admits(2, OTHER)).toBe(true);
  });

  test('gets the only slot if there is just one', () => {
    expect(promptSlots(1, 1).admits(1, ADDRESS)).toBe(true);
  });
});

test('a name that resolves to an address in use counts there', () => {
  const slots = promptSlots(100, 1, 1, 2);
  take(slots, 1, 'erp.exemplo:443');
  expect(slots.admits(2, ADDRESS)).toBe(true);
  slots.recount(() => ADDRESS);
  expect(slots.admits(2, ADDRESS)).toBe(false);
});

test('fewer held slots go first, then the longest time since the last slot', () => {
  const slots = promptSlots(100, 10, 1, 2, 3);
  take(slots, 2, ADDRESS).release();
  take(slots, 1, ADDRESS).release();
  take(slots, 3, ADDRESS);
  expect([3, 1, 2, 4].sort((a, b) => slots.compare(a, b))).toEqual([4, 2, 1, 3]);
});
