/** Keeps the session of an active user: renews its tokens before they expire (contract section 2). */

/** Time after the last key, click or navigation during which the user counts as active. */
const WORKING_MS = 10 * 60_000;
/** Half of the lifetime of a token. */
const RENEWED_AFTER_MS = 30 * 60_000;
const LOOK_EVERY_MS = 60_000;

export interface SessionKeeper {
  /**
   * Returns when the tokens were received, in epoch milliseconds of the browser, or `undefined` without a
   * session.
   */
  readonly since: () => number | undefined;
  readonly renew: () => Promise<unknown>;
}

/** Watches the whole page. Call it once. */
export function keepSession({ since, renew }: SessionKeeper): void {
  let [workedAt, isRenewing] = [Date.now(), false];
  const look = async (): Promise<void> => {
    const [now, begun] = [Date.now(), since()];
    if (isRenewing || begun === undefined) return;
    if (now - workedAt > WORKING_MS || now - begun < RENEWED_AFTER_MS) return;
    isRenewing = true;
    await renew();
    isRenewing = false;
  };
  const work = (): void => {
    workedAt = Date.now();
    void look();
  };
  // A renewal that is refused draws the page anew. It begins with the end of a key or click: between `pointerdown`
  // and `click`, the element under the pointer would be replaced, and the click lost.
  for (const type of ['keyup', 'click', 'input', 'popstate'])
    addEventListener(type, work, { capture: true, passive: true });
  setInterval(() => void look(), LOOK_EVERY_MS);
}
