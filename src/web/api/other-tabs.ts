/**
 * Shared session of the tabs of a browser (contract section 17). A tab without a session requests one, tabs
 * with one reply, and every change is sent to all. The session is only in the memory of the
 * tabs: no other origin receives it, and it ends with the last tab.
 */
import type { StoredTokens, Tokens } from './tokens.ts';

type TabMessage =
  | { readonly about: 'question' }
  | { readonly about: 'session'; readonly kept: StoredTokens }
  | { readonly about: 'end'; readonly of: string; readonly why: string };

export class OtherTabs {
  readonly #channel = new BroadcastChannel('catp.session');
  readonly #tokens: Tokens;
  /** Ended sessions: a reply may still arrive after the end of its session. */
  readonly #ended = new Set<string>();
  /** Called when another session replaces the current one. */
  onSession: () => void = () => {};
  /** Called when another tab has ended the session. */
  onEnd: (why: string) => void = () => {};

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data);
  }

  ask(): void {
    this.#send({ about: 'question' });
  }

  /** Sends the session to the other tabs when it has begun or was extended. */
  share(): void {
    const { current: kept } = this.#tokens;
    if (kept !== undefined) this.#send({ about: 'session', kept });
  }

  /** `why` is empty after a sign-out. */
  end(authorization: string, why: string): void {
    this.#ended.add(authorization);
    this.#send({ about: 'end', of: authorization, why });
  }

  close(): void {
    this.#channel.close();
  }

  #send(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  #receive(message: TabMessage): void {
    const before = this.#tokens.current?.authorization;
    if (message.about === 'question') return this.share();
    if (message.about === 'end') {
      this.#ended.add(message.of);
      if (message.of === before) this.onEnd(message.why);
      return;
    }
    if (this.#ended.has(message.kept.authorization)) return;
    this.#tokens.adopt(message.kept);
    if (this.#tokens.current?.authorization !== before) this.onSession();
  }
}
