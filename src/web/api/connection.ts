/** Connection state. While the server is unreachable, one health check per second detects its return. */
import { Observed } from './observed.ts';

const CHECK_INTERVAL_MS = 1000;

export class Connection {
  readonly state = new Observed<'up' | 'lost'>('up');
  readonly #checkHealth: () => Promise<unknown>;
  #back: Promise<void> | undefined;

  /** `ask` resolves when the server answers. */
  constructor(checkHealth: () => Promise<unknown>) {
    this.#checkHealth = checkHealth;
  }

  /** Reports a request without response. Resolves when the server answers again. */
  waitForServer(): Promise<void> {
    this.state.set('lost');
    return (this.#back ??= this.#wait());
  }

  async #wait(): Promise<void> {
    for (;;) {
      const answered = await this.#checkHealth().then(
        () => true,
        () => false,
      );
      if (answered) break;
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    }
    this.#back = undefined;
    this.state.set('up');
  }
}
