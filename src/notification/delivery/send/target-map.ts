import { nodeNet } from '../../../system/builtin.ts';
import { DomainError } from '../../../errors.ts';
import { isAlwaysForbidden } from './address-policy.ts';

/** The replacement destination of an endpoint. */
export interface Target {
  /** IPv4, or IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

const FORM = 'use HOST:PORTA=ENDEREÇO:PORTA, por exemplo erp.exemplo:443=127.0.0.1:8443';

/**
 * The setting `entrega.mapa` (and `--map`): sends a lawful endpoint to a local receiver (contract section
 * 10).
 */
export class TargetMap {
  readonly #targets: ReadonlyMap<string, Target>;

  constructor(targets: ReadonlyMap<string, Target> = new Map()) {
    this.#targets = targets;
  }

  /** Returns the target of `host:port`, or `undefined` when the map does not name it. */
  find(hostAndPort: string): Target | undefined {
    return this.#targets.get(hostAndPort);
  }

  get size(): number {
    return this.#targets.size;
  }
}

/**
 * Reads entries of the form `erp.exemplo:443 = 127.0.0.1:8443`. Throws `DomainError` at the first invalid
 * one.
 */
export function parseTargetMap(entries: readonly string[]): TargetMap {
  const targets = new Map<string, Target>();
  for (const entry of entries) {
    const [from, to, ...more] = entry.split('=').map((side) => side.trim());
    if (from === undefined || to === undefined || more.length > 0) throw refusal(entry, FORM);
    const key = readSource(entry, from);
    if (targets.has(key))
      throw refusal(entry, `${key} já foi mapeado; deixe um só destino para cada HOST:PORTA`);
    targets.set(key, readTarget(entry, to));
  }
  return new TargetMap(targets);
}

/** Returns the key in the form of a parsed endpoint: lower case, punycode, no brackets. */
function readSource(entry: string, from: string): string {
  const { host, port } = split(entry, from);
  const url = URL.parse(`https://${host}/`);
  const isHostAlone = url !== null && url.pathname === '/' && url.port === '' && !/[@?#/\\]/.test(host);
  if (!isHostAlone) throw refusal(entry, `${JSON.stringify(host)} não é um nome de servidor; ${FORM}`);
  return `${url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')}:${port}`;
}

function readTarget(entry: string, to: string): Target {
  const { host, port } = split(entry, to);
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (nodeNet().isIP(address) === 0) {
    throw refusal(
      entry,
      `o destino ${JSON.stringify(host)} deve ser um endereço IP (IPv6 entre colchetes); ${FORM}`,
    );
  }
  if (isAlwaysForbidden(address))
    throw refusal(entry, `o endereço ${address} nunca pode receber notificações`);
  return { address, port };
}

function split(entry: string, side: string): { readonly host: string; readonly port: number } {
  const [, host, digits] = /^(\[[^\]]*\]|[^:[\]]+):(\d{1,5})$/.exec(side) ?? [];
  const port = Number(digits);
  if (host === undefined) throw refusal(entry, `${JSON.stringify(side)} não tem a forma HOST:PORTA; ${FORM}`);
  if (port < 1 || port > 65_535) throw refusal(entry, `a porta ${port} não existe (1 a 65535)`);
  return { host, port };
}

const refusal = (entry: string, why: string): DomainError =>
  new DomainError('malformed', `Mapa de entrega (entrega.mapa, --map) ${JSON.stringify(entry)}: ${why}.`);
