/** Keeps the session of an active user: renews its tokens before they expire (contract section 2). */

/** Time after the last key, click or navigation during which the user counts as active. */
const ACTIVE_MS = 10 * 60_000;
/** Half of the lifetime of a token. */
const RENEWAL_AGE_MS = 30 * 60_000;
const CHECK_INTERVAL_MS = 60_000;

export interface SessionRenewal {
  /**
   * Returns when the tokens were received, in epoch milliseconds of the browser, or `undefined` without a
   * session.
   */
  readonly receivedAt: () => number | undefined;
  readonly renew: () => Promise<unknown>;
}

/** Watches the whole page. Call it once. */
export function keepSession({ receivedAt, renew }: SessionRenewal): void {
  let [lastActivityAt, isRenewing] = [Date.now(), false];
  const renewIfActive = async (): Promise<void> => {
    const [now, tokensReceivedAt] = [Date.now(), receivedAt()];
    if (isRenewing || tokensReceivedAt === undefined) return;
    if (now - lastActivityAt > ACTIVE_MS || now - tokensReceivedAt < RENEWAL_AGE_MS) return;
    isRenewing = true;
    await renew();
    isRenewing = false;
  };
  const noteActivity = (): void => {
    lastActivityAt = Date.now();
    void renewIfActive();
  };
  // A refused renewal renders the page again. It therefore starts only after a key or a click: between
  // `pointerdown` and `click` it would replace the element under the pointer, and the click would be lost.
  for (const type of ['keyup', 'click', 'input', 'popstate'])
    addEventListener(type, noteActivity, { capture: true, passive: true });
  setInterval(() => void renewIfActive(), CHECK_INTERVAL_MS);
}
