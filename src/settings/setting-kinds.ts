/** The kinds of settings: how each text is parsed, and the message for an invalid one. */
import { resolve } from 'node:path';
import { ipaddr } from '../system/ipaddr.ts';
import { isLoopback, isSafeToAsk } from '../system/loopback.ts';
import { isEmail } from '../validation/email.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.ts';

export interface Setting<T> {
  /** One Portuguese sentence for readers of the list. */
  readonly about: string;
  readonly default: string;
  /** Value of the profile `portal` instead of the default (contract section 1). */
  readonly portal?: string;
  /** The accepted words of an enumeration. */
  readonly accepted?: readonly string[];
  /** Resolves the relative paths of a path setting against a folder. */
  readonly within?: (text: string, folder: string) => string;
  /** True when a file may give the value as a list. */
  readonly isList?: true;
  /** Throws an Error whose Portuguese message states the accepted values. */
  readonly parse: (text: string) => T;
}

/** A time of day in Brasília. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

export function text(about: string, byDefault: string): Setting<string> {
  return { about, default: byDefault, parse: (value) => value.trim() };
}

export function choice<const T extends string>(
  about: string,
  byDefault: T,
  accepted: readonly T[],
): Setting<T> {
  return {
    about,
    default: byDefault,
    accepted,
    parse: (value) => {
      const match = accepted.find((one) => one === value.trim());
      if (match === undefined) throw new Error(`aceita ${accepted.join(', ')}`);
      return match;
    },
  };
}

export function flag(about: string, byDefault: string): Setting<boolean> {
  const { parse, accepted = [] } = choice(about, 'true', ['true', 'false']);
  return { about, default: byDefault, accepted, parse: (value) => parse(value) === 'true' };
}

export function integer(about: string, byDefault: string, least: number, most: number): Setting<number> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      const number = /^\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
      if (!(number >= least && number <= most)) throw new Error(`aceita um inteiro de ${least} a ${most}`);
      return number;
    },
  };
}

export function list(about: string, byDefault: string): Setting<readonly string[]> {
  return { about, default: byDefault, isList: true, parse: splitList };
}

/** A list whose every item is `isFit`; `accepted` describes a valid item. */
function listOf(
  isFit: (item: string) => boolean,
  accepted: string,
): (about: string, byDefault: string) => Setting<readonly string[]> {
  const parse = (value: string): string[] => {
    const items = splitList(value);
    if (!items.every(isFit)) throw new Error(`aceita ${accepted}, separados por vírgula`);
    return items;
  };
  return (about, byDefault) => ({ ...list(about, byDefault), parse });
}

/**
 * Accepts exactly what browsers send in `Origin`. Schemes other than the web's have one too (`app://nome`).
 */
function isOrigin(item: string): boolean {
  const url = URL.parse(item);
  return url !== null && item === (url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin);
}

export const webOrigins = listOf(
  (item) => ['*', 'local', 'null'].includes(item) || isOrigin(item),
  '*, local, null ou origens como um navegador as diz, sem barra no fim e sem caminho (por exemplo https://erp.exemplo)',
);

export const hostNames = listOf(
  (item) => URL.parse(`http://${item}`)?.hostname === item,
  'nomes de máquina em minúsculas, sem https:// e sem porta (por exemplo catalogo.exemplo)',
);

/** A file or folder; `''`: none. */
export function path(about: string): Setting<string> {
  return { ...text(about, ''), within: (value, folder) => value.trim() && resolve(folder, value.trim()) };
}

export function paths(about: string): Setting<readonly string[]> {
  const within = (value: string, folder: string): string =>
    splitList(value)
      .map((one) => resolve(folder, one))
      .join(',');
  return { ...list(about, ''), within };
}

/** IP networks. A single address becomes a network of one. */
export function networks(about: string, byDefault: string): Setting<readonly string[]> {
  return {
    about,
    default: byDefault,
    isList: true,
    parse: (value) =>
      splitList(value).map((word) => {
        const network = word.includes('/') ? word : `${word}/${word.includes(':') ? 128 : 32}`;
        const isValid =
          ipaddr().IPv4.isValidCIDRFourPartDecimal(network) || ipaddr().IPv6.isValidCIDR(network);
        if (!isValid)
          throw new Error('aceita endereços IP ou CIDR, por exemplo 10.0.0.5, 192.168.1.0/24 ou fd00::/8');
        return network;
      }),
  };
}

export function headerName(about: string, byDefault: string): Setting<string> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      if (!/^[\w-]{1,100}$/.test(value.trim())) throw new Error('aceita o nome de um cabeçalho HTTP');
      return value.trim();
    },
  };
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const UNIT_MS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS } as const;

/** `undefined`: never. */
export function timeOfDay(about: string, byDefault: string): Setting<TimeOfDay | undefined> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      if (value.trim() === 'nunca') return undefined;
      const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value.trim()) ?? [];
      if (hour === undefined) throw new Error('aceita hh:mm (por exemplo 02:30) ou nunca');
      return { hour: Number(hour), minute: Number(minute) };
    },
  };
}

function parseDuration(value: string): number {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(value.trim());
  if (match === null) throw new Error('aceita um número e uma unidade: ms, s, m ou h (por exemplo 60s)');
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

export function duration(about: string, byDefault: string): Setting<number> {
  return { about, default: byDefault, parse: parseDuration };
}

export function durations(about: string, byDefault: string): Setting<readonly number[]> {
  return {
    about,
    default: byDefault,
    isList: true,
    parse: (value) => (value.trim() === 'none' ? [] : splitList(value).map(parseDuration)),
  };
}

const DAYS_MAX = 366;

/** Numbers of days. */
export function numbersOfDays(about: string, byDefault: string): Setting<readonly number[]> {
  return {
    about,
    default: byDefault,
    isList: true,
    parse: (value) => {
      const words = value.trim() === 'none' ? [] : splitList(value);
      const days = words.map((word) => (/^\d{1,3}$/.test(word) ? Number(word) : Number.NaN));
      const isSound = days.every((one) => one >= 1 && one <= DAYS_MAX) && new Set(days).size === days.length;
      if (!isSound || (days.length === 0 && value.trim() !== 'none'))
        throw new Error(
          `aceita números de dias de 1 a ${DAYS_MAX}, cada um uma vez, separados por vírgula, ou none`,
        );
      return days;
    },
  };
}

/** An address to fetch from; `''`: none. */
export const ORIGIN_DOMAIN = 'https://servidor/caminho, sem usuário e senha; http só em loopback';

/** Returns true for an address from which a list may be fetched (contract section 19). */
export function isOriginAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && isSafeToAsk(url) && `${url.username}${url.password}` === '';
}

export function origin(about: string, byDefault: string): Setting<string> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      const address = value.trim();
      if (address === '' || isOriginAddress(address)) return address;
      throw new Error(`aceita ${ORIGIN_DOMAIN}`);
    },
  };
}

/** The address of this instance for people, without a slash at its end; `''`: none. */
export function publicAddress(about: string): Setting<string> {
  return {
    about,
    default: '',
    parse: (value) => {
      const address = value.trim();
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (address === '' || (url !== undefined && /^https?:$/.test(url.protocol) && isOnlyHost(url)))
        return url?.origin ?? '';
      throw new Error(
        'aceita o endereço pelo qual as pessoas chegam a esta instância, só com servidor e porta (https://catalogo.empresa.exemplo)',
      );
    },
  };
}

const isOnlyHost = ({ username, password, pathname, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === '' && ['', '/'].includes(pathname);

/** A server that takes messages. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS begins with the connection; otherwise by STARTTLS. */
  readonly isTls: boolean;
  /** Messages to it never leave this machine. */
  readonly isLocal: boolean;
}

const SUBMISSION_PORT = 587;
const TLS_SUBMISSION_PORT = 465;

/** `undefined`: none. */
export function mailServer(about: string): Setting<MailServer | undefined> {
  return {
    about,
    default: '',
    parse: (value) => {
      const address = value.trim();
      if (address === '') return undefined;
      const url = URL.canParse(address) ? new URL(address) : undefined;
      const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
      if (
        url === undefined ||
        !/^smtps?:$/.test(url.protocol) ||
        !isOnlyHost(url) ||
        !/^[\w.:-]+$/.test(host)
      )
        throw new Error(
          'aceita smtps://servidor:porta, ou smtp://servidor:porta para STARTTLS, sem usuário e senha, que têm email.usuario e email.segredo',
        );
      const isTls = url.protocol === 'smtps:';
      const port = url.port === '' ? (isTls ? TLS_SUBMISSION_PORT : SUBMISSION_PORT) : Number(url.port);
      return { host, port, isTls, isLocal: isLoopback(host) };
    },
  };
}

/** The sender of messages. */
export interface MailSender {
  /** `''`: none. */
  readonly name: string;
  readonly address: string;
}

/** `undefined`: none. */
export function mailSender(about: string): Setting<MailSender | undefined> {
  return {
    about,
    default: '',
    parse: (value) => {
      const [, name = '', bracketed] = /^([^<>"\p{Cc}]{0,100})<([^<>]+)>$/u.exec(value.trim()) ?? [];
      const address = bracketed ?? value.trim();
      if (address === '') return undefined;
      if (!isEmail(address)) throw new Error('aceita nome@empresa.exemplo, ou Nome <nome@empresa.exemplo>');
      return { name: name.trim(), address };
    },
  };
}

const LABEL_MAX = 60;

/** A short text that people read. */
export function label(about: string, byDefault: string): Setting<string> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      const words = value.trim();
      if (words === '' || words.length > LABEL_MAX) throw new Error(`aceita de 1 a ${LABEL_MAX} letras`);
      return words;
    },
  };
}

/** Scopes of OpenID Connect. */
export function scopes(about: string, byDefault: string): Setting<string> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      const words = value.split(' ').filter((word) => word !== '');
      if (!words.includes('openid') || !words.every((word) => /^[!#-[\]-~]{1,200}$/.test(word)))
        throw new Error('aceita escopos separados por espaço, entre eles openid');
      return words.join(' ');
    },
  };
}

/** A proxy; `''`: the proxy of the environment. */
export function proxy(about: string, byDefault: string): Setting<string> {
  return {
    about,
    default: byDefault,
    parse: (value) => {
      const address = value.trim();
      const url = URL.canParse(address) ? new URL(address) : undefined;
      const isFit = url?.protocol === 'http:' && `${url.username}${url.password}${url.search}` === '';
      if (address === '' || (isFit && url.pathname === '/')) return address;
      throw new Error(
        'aceita http://servidor:porta; um usuário e sua senha só em HTTPS_PROXY, que não é mostrado',
      );
    },
  };
}

export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, parse: (value) => (value.trim() === '' ? undefined : setting.parse(value)) };
}

export const inPortal = <T>(portal: string, setting: Setting<T>): Setting<T> => ({ ...setting, portal });
