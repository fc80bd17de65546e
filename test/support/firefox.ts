/**
 * A real Firefox, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Playwright drives only
 * its own builds of Firefox, and Puppeteer would add 75 MB for these few commands.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../../scripts/starter.ts';
import { EVENTUALLY_MS, eventually } from './eventually.ts';

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** The path of the browser, or `undefined` when this machine has none. */
export const firefoxPath: string | undefined = FIREFOX.find((path) => existsSync(path));

const READY = /WebDriver BiDi listening on (ws:\/\/\S+)/;

/** Codes of keys (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
export const TAB = '\uE004';
export const ENTER = '\uE007';
export const ARROW_DOWN = '\uE015';
const CONTROL = '\uE009';

type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly result?: Fields;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
}

/** One tab of a Firefox with an empty profile. Elements are found by role and name, fields by their label. */
export class Firefox {
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (message: Message) => void>();
  #sentCommands = 0;
  #tab = '';

  readonly #stop: () => Promise<void>;

  private constructor(address: string, stop: () => Promise<void>) {
    this.#stop = stop;
    this.#socket = new WebSocket(address);
    this.#socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as Message);
  }

  static async start(): Promise<Firefox> {
    if (firefoxPath === undefined) throw new Error(`no browser: looked for ${FIREFOX.join(', ')}`);
    const profile = mkdtempSync(join(tmpdir(), 'catp-firefox-'));
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    // Firefox prints the address of its WebDriver server to standard error.
    const command = ['/bin/sh', '-c', 'exec "$0" "$@" 2>&1', firefoxPath, ...args];
    const started = startProcess(command, {
      ready: READY,
      cwd: profile,
      env: { HOME: profile },
    });
    const firefox = new Firefox(`${await started.ready}/session`, async () => {
      await started.stop();
      rmSync(profile, { recursive: true, force: true });
    });
    await new Promise((resolve, reject) => {
      firefox.#socket.onopen = resolve;
      firefox.#socket.onerror = reject;
    });
    await firefox.#send('session.new', { capabilities: {} });
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] });
    return firefox;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#stop();
  }

  /** Opens a tab instead of the former one, whose session ends with it. */
  async openTab(): Promise<void> {
    if (this.#tab !== '') await this.#send('browsingContext.close', { context: this.#tab });
    const { context } = await this.#send('browsingContext.create', { type: 'tab' });
    this.#tab = context as string;
    const viewport = { width: 1280, height: 800 };
    await this.#send('browsingContext.setViewport', { context, viewport });
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#tab, url, wait: 'complete' });
  }

  /** Evaluates an expression in the page. It must be a string, or a promise of one. */
  async evaluate(expression: string): Promise<string> {
    const { result, exceptionDetails } = await this.#send('script.evaluate', {
      expression,
      target: { context: this.#tab },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return String((result as { readonly value?: unknown }).value);
  }

  /** Waits until the page shows this text. */
  async waitForText(text: string): Promise<void> {
    await eventually(() => this.evaluate('document.body.innerText')).toContain(text);
  }

  /** Clicks with the mouse in the middle of the element. */
  async click(role: string, name: string): Promise<void> {
    await this.#click(await this.#find({ type: 'accessibility', value: { role, name } }));
  }

  /** Replaces the content of the field with this label by typing. */
  async fill(label: string, text: string): Promise<void> {
    // A password field has no role of its own.
    const xpath = `//label[normalize-space(.)='${label}']`;
    await this.#click(await this.#find({ type: 'xpath', value: xpath }));
    await this.press(CONTROL, 'a');
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    for (const key of text) await this.press(key);
  }

  /** Presses keys together. */
  async press(...keys: readonly string[]): Promise<void> {
    const down = keys.map((value) => ({ type: 'keyDown', value }));
    const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }));
    await this.#perform([{ type: 'key', id: 'keyboard', actions: [...down, ...up] }]);
  }

  /** Chooses local files for the first file input of the page. */
  async chooseFiles(...files: readonly string[]): Promise<void> {
    const element = await this.#find({ type: 'css', value: 'input[type=file]' });
    await this.#send('input.setFiles', { context: this.#tab, element, files });
  }

  async #click(element: Fields): Promise<void> {
    await eventually(() => this.#acceptsMouse(element)).toBe(true);
    const move = { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } };
    const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.#perform([{ type: 'pointer', id: 'mouse', actions }]);
  }

  /**
   * Scrolls to the element. Is true once it has not moved for two frames, is enabled, and its middle is
   * uncovered.
   */
  async #acceptsMouse(element: Fields): Promise<boolean> {
    const { result } = await this.#send('script.callFunction', {
      functionDeclaration: ACCEPTS_MOUSE,
      arguments: [element],
      target: { context: this.#tab },
      awaitPromise: true,
    });
    return (result as { readonly value?: unknown }).value === true;
  }

  async #find(locator: Fields): Promise<Fields> {
    const end = performance.now() + EVENTUALLY_MS;
    for (;;) {
      const { nodes } = await this.#send('browsingContext.locateNodes', { context: this.#tab, locator });
      const [element] = nodes as readonly { readonly sharedId: string }[];
      if (element !== undefined) return { sharedId: element.sharedId };
      if (performance.now() > end) throw new Error(`not on the page: ${JSON.stringify(locator)}`);
      await Bun.sleep(POLL_MS);
    }
  }

  #perform(actions: readonly Fields[]): Promise<Fields> {
    return this.#send('input.performActions', { context: this.#tab, actions });
  }

  async #send(method: string, params: Fields): Promise<Fields> {
    this.#sentCommands += 1;
    const id = this.#sentCommands;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#pending.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await promise;
    if (result === undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  }

  #receive(message: Message): void {
    const { id, method, params } = message;
    if (id !== undefined) {
      this.#pending.get(id)?.(message);
      this.#pending.delete(id);
    } else if (method === 'log.entryAdded' && (params?.level === 'error' || params?.level === 'warn'))
      this.complaints.push(params.text ?? '');
  }
}

/** Pause between two searches for an element. */
const POLL_MS = 20;

/**
 * Script that waits until the element rests: a growing page would move it away from the mouse before the
 * click.
 */
const ACCEPTS_MOUSE = `async (element) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const positions = [];
  for (let i = 0; i < 3; i++) {
    await frame();
    const { x, y, width, height } = element.getBoundingClientRect();
    positions.push([x + width / 2, y + height / 2]);
  }
  const [[x, y]] = positions;
  const target = document.elementFromPoint(x, y);
  return element.contains(target) && !element.disabled && positions.every((at) => at[0] === x && at[1] === y);
}`;
