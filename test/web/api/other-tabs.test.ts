/**
 * Messages about the session between tabs of a browser, without a browser: accepted messages and late
 * ones.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { OtherTabs } from '../../../src/web/api/other-tabs.ts';
import { type StoredTokens, Tokens } from '../../../src/web/api/tokens.ts';

const opened: (OtherTabs | BroadcastChannel)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const tokensOf = (
  authorization: string,
  signedInAt: number,
  until = 1000,
  csrf = `${authorization}-csrf`,
): StoredTokens => ({
  authorization,
  csrf,
  until,
  since: signedInAt,
});

function tab(session?: StoredTokens) {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage; // the members that the tokens use
  const tokens = new Tokens(storage);
  if (session !== undefined) tokens.adopt(session);
  const others = new OtherTabs(tokens);
  opened.push(others);
  const events: string[] = [];
  others.onSession = () => events.push(`session ${tokens.current?.authorization}`);
  others.onEnd = (why) => {
    events.push(`end ${why}`);
    tokens.forget();
  };
  return { tokens, others, events };
}

/** Resolves when all earlier messages were received: a channel keeps their order. */
async function allHeard(): Promise<void> {
  const [from, to] = [new BroadcastChannel('catp.test'), new BroadcastChannel('catp.test')];
  opened.push(from, to);
  for (let turn = 0; turn < 10; turn += 1)
    await new Promise((resolve) => {
      to.onmessage = resolve;
      from.postMessage(turn);
    });
}

describe('the tabs of a browser', () => {
  test('a new one requests the session, and gets that of another tab', async () => {
    const [, fresh] = [tab(tokensOf('a', 1)), tab()];
    fresh.others.ask();
    await allHeard();
    expect([fresh.events, fresh.tokens.current]).toEqual([['session a'], tokensOf('a', 1)]);
  });

  test('a tab without a session answers nothing', async () => {
    const [, fresh] = [tab(), tab()];
    fresh.others.ask();
    await allHeard();
    expect([fresh.events, fresh.tokens.current]).toEqual([[], undefined]);
  });

  test('a sign-in in one signs in all, and after two concurrent ones all keep the same session', async () => {
    const [one, other, third] = [tab(tokensOf('a', 5)), tab(tokensOf('b', 5)), tab(tokensOf('old', 4))];
    one.others.share();
    other.others.share();
    await allHeard();
    expect([one, other, third].map(({ tokens }) => tokens.current?.authorization)).toEqual(['b', 'b', 'b']);
    expect(other.events).toEqual([]);
  });

  test('a second token that lasts longer goes to all, and is the same session', async () => {
    const [one, other] = [tab(tokensOf('a', 1, 2000, 'later')), tab(tokensOf('a', 1, 1000, 'earlier'))];
    other.others.share();
    one.others.share();
    await allHeard();
    expect([one.tokens.current?.csrf, other.tokens.current?.csrf]).toEqual(['later', 'later']);
    expect([one.events, other.events]).toEqual([[], []]);
  });

  test('an end ends that session in every tab, and no other session', async () => {
    const [one, other, later] = [tab(tokensOf('a', 1)), tab(tokensOf('a', 1)), tab(tokensOf('b', 2))];
    one.others.end('a', 'por quê');
    await allHeard();
    expect([other.events, other.tokens.current]).toEqual([['end por quê'], undefined]);
    expect([later.events, later.tokens.current?.authorization]).toEqual([[], 'b']);
  });

  test('a late message about an ended session is ignored', async () => {
    const [one, late, fresh] = [tab(), tab(tokensOf('a', 1)), tab()];
    late.others.onEnd = () => {};
    one.others.end('a', '');
    await allHeard();
    late.others.share();
    await allHeard();
    expect([one.tokens.current, fresh.tokens.current]).toEqual([undefined, undefined]);
  });
});
