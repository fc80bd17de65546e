/**
 * Sends one message over SMTP, with TLS, within a total deadline. The library is loaded with the first
 * message.
 */
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { NodemailerError } from 'nodemailer/lib/errors';
import type { EpochMs, RealTime } from '../clock.ts';
import { SECOND_MS } from '../clock.ts';
import { nodeTls } from '../system/builtin.ts';
import { foreignText } from '../validation/text.ts';
import type { EmailConnection } from './connection.ts';
import type { Outcome } from './model.ts';
import type { RenderedEmail } from './render.ts';

/** Total time of an attempt: `test` answers within 30 s. */
const ATTEMPT_MS = 25 * SECOND_MS;

export interface Letter extends RenderedEmail {
  readonly to: string;
  /** The first part of the Message-ID, the same in every attempt: a receiver may drop a repeated message. */
  readonly key: string;
  readonly at: EpochMs;
}

/** Ends an attempt from outside. */
class AttemptEnded extends Error {}

export class EmailSender {
  readonly #connection: EmailConnection;
  readonly #realTime: RealTime;

  constructor(connection: EmailConnection, realTime: RealTime) {
    this.#connection = connection;
    this.#realTime = realTime;
  }

  /** Returns `undefined` when `stopping` aborts the attempt. */
  async send(letter: Letter, stopping?: AbortSignal): Promise<Outcome | undefined> {
    const { login, sender } = this.#connection;
    const isStopping = (): boolean => stopping?.aborted === true;
    const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
    const message = await this.#compose(letter);
    if (isStopping()) return undefined;
    const smtp = new SMTPConnection(optionsOf(this.#connection));
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => undefined); // it may reject after the attempt
    smtp.on('error', failure.reject);
    smtp.on('end', () => failure.reject(new Error('closed')));
    const deadline = this.#realTime.after(ATTEMPT_MS, () => failure.reject(new AttemptEnded('late')));
    const abort = (): void => failure.reject(new AttemptEnded('stopping'));
    stopping?.addEventListener('abort', abort, { once: true });
    const step = (begin: (done: (error?: Error | null) => void) => void): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begin((error) => (error ? reject(error) : resolve()));
      return Promise.race([promise, failure.promise]);
    };
    let isServerReady = false;
    try {
      await step((done) => smtp.connect(done));
      if (login !== undefined) await step((done) => smtp.login({ ...login, credentials: login }, done));
      isServerReady = true;
      await step((done) => smtp.send({ from: sender.address, to: [letter.to] }, message, done));
      smtp.quit();
      return { kind: 'sent' };
    } catch (error) {
      smtp.close();
      if (isStopping()) return undefined;
      return this.#outcomeOf(error as NodemailerError, isServerReady);
    } finally {
      deadline.cancel();
      stopping?.removeEventListener('abort', abort);
    }
  }

  async #compose({ to, subject, text, html, key, at }: Letter): Promise<Buffer> {
    const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
    const { sender } = this.#connection;
    return new MailComposer({
      from: sender,
      to: { name: '', address: to },
      subject,
      text,
      html,
      date: new Date(at),
      messageId: `<${key}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build();
  }

  /** `isServerFit`: the server was ready to take a message. */
  #outcomeOf(error: NodemailerError, isServerReady: boolean): Outcome {
    if (error instanceof AttemptEnded) {
      const reason = `o servidor não terminou em ${ATTEMPT_MS / SECOND_MS} s`;
      return { kind: isServerReady ? 'later' : 'away', reason };
    }
    const reason = reasonOf(error);
    if (!isServerReady) return { kind: 'away', reason };
    // A refused sender address is a setting that a person can correct, so the message is tried again.
    const isOfSender = error.command === 'MAIL FROM';
    const isUnsent = error.responseCode === undefined && ['EENVELOPE', 'EMESSAGE'].includes(error.code ?? '');
    return { kind: !isOfSender && (error.permanent === true || isUnsent) ? 'refused' : 'later', reason };
  }
}

function optionsOf({ server, login, ca }: EmailConnection): SMTPConnectionOptions {
  const { host, port, isTls, isLocal } = server;
  const mayBePlain = isLocal && login === undefined;
  return {
    // Saves the look-up: a name server is not needed for this machine.
    host: host === 'localhost' ? '127.0.0.1' : host,
    ...(host === 'localhost' && { servername: host }),
    port,
    secure: isTls,
    requireTLS: !isTls && !mayBePlain,
    ignoreTLS: mayBePlain,
    connectionTimeout: ATTEMPT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    dnsTimeout: ATTEMPT_MS,
    tls: { minVersion: 'TLSv1.2', ca: [...nodeTls().rootCertificates, ...ca] },
  };
}

const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'a conexão foi recusada',
  EHOSTUNREACH: 'a rede não leva até o servidor',
  ENETUNREACH: 'a rede não leva até o servidor',
};

/** Returns the reason of a failure as a part of a sentence: the answer of the server, or why there is none. */
function reasonOf({ code, command, response, responseCode, originalCode }: NodemailerError): string {
  const quoted = response === undefined ? '' : `: ${foreignText(response.replaceAll(/\s+/g, ' ')).trim()}`;
  switch (code) {
    case 'EDNS':
      return 'o nome do servidor não foi encontrado';
    case 'ETIMEDOUT':
      return 'o servidor não respondeu a tempo';
    case 'EAUTH':
      // The answer may repeat what was sent.
      return `o servidor recusou usuário e senha${responseCode === undefined ? '' : ` (${responseCode})`}`;
    case 'ETLS':
      return `a conexão não pôde ser cifrada com STARTTLS${codeText(originalCode)}`;
    case 'EENVELOPE':
      return `o servidor recusou ${command === 'MAIL FROM' ? 'o remetente' : 'o destinatário'}${quoted}`;
    case 'EMESSAGE':
      return `o servidor recusou a mensagem${quoted}`;
    default:
      return (
        CONNECTION_REASONS[originalCode ?? ''] ??
        `a conexão foi interrompida${codeText(originalCode)}${quoted}`
      );
  }
}

/** Names the fault of a certificate, or of the system, by its code. */
const codeText = (code: string | undefined): string => (code === undefined ? '' : ` (${code})`);
