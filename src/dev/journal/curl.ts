/**
 * Formats a request as a bash command that repeats it. Secrets become variables, which the first lines name.
 */
import { pathnameOf, queryOf, splitBeforeSecret } from '../../http/address.ts';
import type { JournalEntry } from './entry.ts';
import { type Mask, type Parts, maskedBody, maskedPairs, maskedValue } from './secrets.ts';

/** Headers that curl sets automatically, or that belong to one connection. */
const OMITTED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
]);

/** The curl option per method. After `-X HEAD`, curl would wait for a body. */
const METHODS: Readonly<Record<string, string>> = { HEAD: '--head' };

/** Variables for secrets that users know by another name. */
const VARIABLES: Readonly<Record<string, { readonly name: string; readonly what: string }>> = {
  authorization: { name: 'TOKEN', what: 'o valor de Set-Token da autenticação' },
  'x-csrf-token': { name: 'CSRF', what: 'o último X-CSRF-Token recebido' },
  'client-secret': { name: 'CLIENT_SECRET', what: 'o segredo da chave de acesso (Client-Secret)' },
};

export function curlOf(entry: JournalEntry): string {
  const variables = new Map<string, string>();
  const quote = (parts: Parts, inQuotes = quotedText): string =>
    joined(parts)
      .map((part) => (typeof part === 'string' ? inQuotes(part) : variable(part, variables)))
      .join('') || "''";
  const { method, requestHeaders, requestBody, url } = entry;
  const lines = [
    `curl -sS -i -g --path-as-is${entry.isSecure ? ' -k' : ''} ${METHODS[method] ?? `-X ${method}`}`,
  ];
  for (const [name, value] of requestHeaders)
    if (!OMITTED_HEADERS.has(name))
      lines.push(`-H ${quote(value === '' ? [`${name};`] : [`${name}: `, ...maskedHeader(name, value)])}`);
  if (requestBody.text !== null) {
    if (!requestHeaders.has('content-type')) lines.push("-H 'content-type:'");
    if (requestBody.isBinary || requestBody.isCut) {
      lines.push('--data-binary "@$CORPO"');
      variables.set('CORPO', 'o arquivo com o corpo da requisição, que não foi guardado inteiro');
    } else {
      const { hasMark, isBytes, text } = requestBody.exact;
      const body = quote(maskedBody(text, entry.operation), isBytes ? quotedBytes : quotedText);
      // Never --data-binary: curl would read a body that begins with @ as a file name.
      lines.push(`--data-raw ${hasMark ? MARK : ''}${body}`);
    }
  }
  lines.push(quote([originOf(entry), ...maskedPath(pathnameOf(url)), ...maskedQuery(queryOf(url))]));
  const notes = [...variables].map(([name, what]) => `# Preencha antes: ${name}='…'  (${what})\n`);
  return `${notes.join('')}${lines.join(' \\\n  ')}\n`;
}

const BEARER = 'Bearer ';

function maskedHeader(name: string, value: string): Parts {
  const masked = maskedValue(name, value);
  return value.startsWith(BEARER) && typeof masked[0] !== 'string' ? [BEARER, ...masked] : masked;
}

function maskedPath(pathname: string): Parts {
  const split = splitBeforeSecret(pathname);
  return split === undefined ? [pathname] : [split.open, { name: 'token' }];
}

const maskedQuery = (query: string | undefined): Parts =>
  query === undefined ? [] : ['?', ...maskedPairs(query)];

const originOf = ({ isSecure, requestHeaders }: JournalEntry): string =>
  `${isSecure ? 'https' : 'http'}://${requestHeaders.get('host') ?? '127.0.0.1:8080'}`;

/** Joins adjacent texts. */
function joined(parts: Parts): Parts {
  const result: (string | Mask)[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    if (typeof part === 'string' && typeof before === 'string') result[result.length - 1] = before + part;
    else result.push(part);
  }
  return result;
}

/** Quotes a text for bash, which interprets no character within single quotes. */
const quotedText = (text: string): string =>
  text === '' ? '' : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Quotes bytes that are not text, one character each. Escapes those that a terminal or clipboard would
 * change.
 */
const quotedBytes = (bytes: string): string =>
  `$'${bytes.replaceAll(/[\\'!\u0080-\u00FF]/g, (byte) => String.raw`\x${byte.charCodeAt(0).toString(16)}`)}'`;

/** The byte order mark, escaped because it is invisible. */
const MARK = String.raw`$'\xef\xbb\xbf'`;

/** Replaces a secret with a shell variable. */
function variable(secret: Mask, needed: Map<string, string>): string {
  const variable = VARIABLES[secret.name.toLowerCase()];
  const name = variable?.name ?? variableOf(secret.name);
  needed.set(name, variable?.what ?? `o valor de ${secret.name}`);
  return `"$${name}"`;
}

const variableOf = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^_*(?=\d)|^_+$/, 'X_');
