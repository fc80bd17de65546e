/** Queues messages in the transaction of their cause, and tries the server on request (contract section 27). */
import { seal, unseal } from '../db/seal.ts';
import type { NoticeTransaction } from '../session/notices/model.ts';
import type { Clock, EpochMs } from '../clock.ts';
import { unprocessable } from '../errors.ts';
import { EMAIL_CODES } from './codes.ts';
import type { EmailConnection } from './connection.ts';
import type { EmailContent, NewEmail, Outcome } from './model.ts';
import { renderEmail } from './render.ts';
import type { Letter } from './sender.ts';
import type { EmailStore, StoredEmail } from './store.ts';

export interface EmailsOptions {
  readonly store: EmailStore;
  readonly clock: Clock;
  /** The key that seals contents: an invitation holds a secret. */
  readonly secret: Uint8Array;
  /** True if a server is set. */
  readonly isOn: boolean;
  /** Throws `UsageError`. `undefined`: no server is set. */
  readonly connection: () => EmailConnection | undefined;
  readonly send: (letter: Letter) => Promise<Outcome | undefined>;
}

/** The result of a test. `message` is Portuguese. */
export interface EmailTest {
  readonly ok: boolean;
  readonly message: string;
}

export class Emails {
  readonly #store: EmailStore;
  readonly #clock: Clock;
  readonly #secret: Uint8Array;
  readonly #isOn: boolean;
  readonly #connection: () => EmailConnection | undefined;
  readonly #send: (letter: Letter) => Promise<Outcome | undefined>;
  #wake: () => void = () => undefined;

  constructor({ store, clock, secret, isOn, connection, send }: EmailsOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#secret = secret;
    this.#isOn = isOn;
    this.#connection = connection;
    this.#send = send;
  }

  /** True if this instance sends messages. Otherwise nothing is queued. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Registers `wake`, which is called after each commit that queued a message. */
  listen(wake: () => void): void {
    this.#wake = wake;
  }

  /** Queues a message to one address in the transaction of its cause. Does nothing if this instance sends none. */
  queue(tx: NoticeTransaction, { to, documento, companies = [], content, ...others }: NewEmail): void {
    if (!this.#isOn) return;
    const { notice = null, dueAt = tx.now } = others;
    const key = crypto.randomUUID();
    this.#store.insert({
      key,
      recipient: to,
      documento: documento ?? null,
      companies,
      content: seal(this.#secret, purposeOf(key), JSON.stringify(content)),
      notice,
      now: tx.now,
      dueAt,
    });
    tx.afterCommit(this.#wake);
  }

  /** Replaces the content of a queued message. */
  replace({ id, key }: StoredEmail, { companies = [], content }: NewEmail): void {
    this.#store.replace(id, seal(this.#secret, purposeOf(key), JSON.stringify(content)), companies);
  }

  /** Returns the content of a queued message. Throws when it was sealed with another key. */
  contentOf({ key, content }: StoredEmail): EmailContent {
    const text = unseal(this.#secret, purposeOf(key), content, 'A mensagem de e-mail');
    return JSON.parse(text) as EmailContent; // written by this program
  }

  /**
   * Builds the letter of a queued message, without companies that its person has lost. Throws when it was
   * sealed with another key.
   */
  letterOf(storedEmail: StoredEmail, at: EpochMs): Letter {
    const content = this.contentOf(storedEmail);
    const lostCompanies = new Set(this.#store.lostCompanies(storedEmail.id));
    const groups = content.groups.filter(({ company = '' }) => !lostCompanies.has(company));
    return this.#letter(storedEmail.recipient, storedEmail.key, { ...content, groups }, at);
  }

  /** Sends a test message now. Throws 422 if no server is set. */
  async test(to: string): Promise<EmailTest> {
    const { server, sender } = this.#connection() ?? {};
    if (server === undefined || sender === undefined)
      throw unprocessable([
        {
          code: EMAIL_CODES.noServer.code,
          message:
            'Esta instância não envia e-mails. Defina email.servidor, email.remetente e servidor.endereco em catp.toml e reinicie-a.',
          field: null,
          path: null,
        },
      ]);
    const outcome = await this.#send(this.#letter(to, crypto.randomUUID(), TEST, this.#clock.now()));
    const place = `${server.host}:${server.port}`;
    return outcome?.kind === 'sent'
      ? {
          ok: true,
          message: `${place} aceitou a mensagem de ${sender.address} para ${to}. Veja se ela chegou.`,
        }
      : {
          ok: false,
          message: `Pelo servidor ${place} nada foi enviado: ${outcome?.reason ?? 'esta instância está parando'}.`,
        };
  }

  #letter(to: string, key: string, content: EmailContent, at: EpochMs): Letter {
    const address = this.#connection()?.address ?? '';
    return { ...renderEmail(content, address), to, key, at };
  }
}

const purposeOf = (key: string): string => `catp email ${key}`;

const TEST: EmailContent = {
  subject: 'Teste de e-mail do catálogo de produtos',
  lead: [
    'Um administrador pediu esta mensagem para ver se os e-mails desta instância chegam. Se você a recebeu, eles chegam; não é preciso responder.',
  ],
  groups: [],
};
