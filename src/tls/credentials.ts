/**
 * The content of the `tls.*` files, reloaded when the files change and on the operator's request (contract
 * section 16).
 */
import { type EpochMs, type RealTime, SECOND_MS, SystemClock, type Timer } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import { OperatorError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import { type ServerCertificate, readServerCertificate, validityOf } from './server-certificate.ts';
import { type Trust, readTrust } from './trust.ts';

/**
 * A change is loaded once the files have looked equal twice, because certificate and key are never written at
 * the same moment.
 */
const CHECK_INTERVAL_MS = SECOND_MS;

export class Credentials {
  readonly #settings: Settings;
  #pair: ServerCertificate | undefined;
  #trust: Trust;
  #loadedFingerprint = '';
  #lastFingerprint = '';
  #timer: Timer | undefined;
  #reloading: Promise<void> = Promise.resolve();
  readonly #listeners: (() => void)[] = [];

  private constructor(settings: Settings, pair: ServerCertificate | undefined, trust: Trust) {
    this.#settings = settings;
    this.#pair = pair;
    this.#trust = trust;
  }

  /** Opens the files. Throws an `OperatorError` of one line about the first invalid file. */
  static async open(settings: Settings): Promise<Credentials> {
    const files = await fingerprintOf(settings);
    const pair = hasTls(settings) ? readServerCertificate(settings) : undefined;
    const credentials = new Credentials(settings, pair, await readTrust(settings));
    credentials.#loadedFingerprint = credentials.#lastFingerprint = files;
    return credentials;
  }

  /** Certificate and key of the HTTPS listener. Absent without one. */
  get pair(): ServerCertificate | undefined {
    return this.#pair;
  }

  get trust(): Trust {
    return this.#trust;
  }

  /**
   * Logs a warning for a server certificate outside of its validity, and for revocation lists whose authority is
   * not in `tls.clientes`.
   */
  warnOfFiles(log: Logger, now: EpochMs): void {
    const validity = this.#pair === undefined ? undefined : validityOf(this.#pair.cert, now);
    if (validity?.isInvalid === true)
      log.warning('{message} Renove o certificado de tls.certificado; o servidor o lê de novo em até 5 s.', {
        message: validity.message,
      });
    for (const message of this.#trust.unknownIssuerWarnings) log.warning('{message}', { message });
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Checks the files every second until `stop`. */
  watch(realTime: RealTime, log: Logger): void {
    if (filesOf(this.#settings).length === 0) return;
    const check = async (): Promise<void> => {
      const before = this.#lastFingerprint;
      this.#lastFingerprint = await fingerprintOf(this.#settings);
      if (this.#lastFingerprint !== this.#loadedFingerprint && this.#lastFingerprint === before)
        await this.reload(log);
      if (this.#timer !== undefined) this.#timer = realTime.after(CHECK_INTERVAL_MS, () => void check());
    };
    this.#timer = realTime.after(CHECK_INTERVAL_MS, () => void check());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /**
   * Reloads all files; reloads run one after the other. An invalid file is logged, and its old content stays
   * in use.
   */
  reload(log: Logger): Promise<void> {
    return (this.#reloading = this.#reloading.then(() => this.#reload(log)));
  }

  async #reload(log: Logger): Promise<void> {
    if (filesOf(this.#settings).length === 0) {
      log.info('Não há arquivos de tls.* para ler outra vez.');
      return;
    }
    this.#loadedFingerprint = await fingerprintOf(this.#settings);
    // Independent reloads: an invalid key is no reason to trust revoked certificates.
    const isPairGood = await readOrLog(log, () => {
      if (hasTls(this.#settings)) this.#pair = readServerCertificate(this.#settings);
    });
    const isTrustGood = await readOrLog(log, async () => {
      this.#trust = await readTrust(this.#settings);
    });
    if (!isPairGood && !isTrustGood) return;
    for (const listener of this.#listeners) listener();
    this.warnOfFiles(log, new SystemClock().now());
    if (isPairGood && isTrustGood) log.info('Os arquivos de tls.* foram lidos outra vez.');
  }
}

async function readOrLog(log: Logger, read: () => void | Promise<void>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.error('{message} O que estava em uso continua.', { message: error.message });
    return false;
  }
}

const hasTls = (settings: Settings): boolean => settings['tls.porta'] !== undefined;

function filesOf(settings: Settings): readonly string[] {
  const pair = hasTls(settings) ? [settings['tls.certificado'], settings['tls.chave']] : [];
  const trusted = [settings['tls.clientes'], ...settings['tls.revogados'], settings['proxy.segredo']];
  return [...pair, ...trusted].filter((file) => file !== '');
}

/** Returns a fingerprint of the files' metadata. */
async function fingerprintOf(settings: Settings): Promise<string> {
  const fingerprints = filesOf(settings).map(async (file) => {
    const { stat } = await import('node:fs/promises');
    const { ino, size, mtimeMs } = await stat(file).catch(() => NO_FILE);
    return `${file} ${ino} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(fingerprints)).join('\n');
}

const NO_FILE = { ino: 0, size: 0, mtimeMs: 0 };
