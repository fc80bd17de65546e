/** A request as a command for bash that repeats it. Secrets are variables, which the lines before it name. */
import { pathnameOf, queryOf } from '../../http/address.ts';
import type { JournalEntry } from './entry.ts';
import { type Mask, type Parts, maskedBody, maskedPairs, maskedValue } from './secrets.ts';

/** What curl says by itself, or what belonged to that connection. */
const LEFT_OUT: ReadonlySet<string> = new Set([
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

/** Variables whose content people know by another name. */
const VARIABLES: Readonly<Record<string, { readonly name: string; readonly what: string }>> = {
  authorization: { name: 'TOKEN', what: 'o valor de Set-Token da autenticação' },
  'x-csrf-token': { name: 'CSRF', what: 'o último X-CSRF-Token recebido' },
  'client-secret': { name: 'CLIENT_SECRET', what: 'o segredo da chave de acesso (Client-Secret)' },
};

export function curlOf(entry: JournalEntry): string {
  const needed = new Map<string, string>();
  const quote = (parts: Parts): string =>
    joined(parts)
      .map((part) => quoted(part, needed))
      .join('') || "''";
  const { method, requestHeaders, requestBody, url } = entry;
  const lines = [`curl -sS -i -g --path-as-is${entry.isSecure ? ' -k' : ''} -X ${method}`];
  for (const [name, value] of requestHeaders)
    if (!LEFT_OUT.has(name))
      lines.push(`-H ${quote(value === '' ? [`${name};`] : [`${name}: `, ...maskedHeader(name, value)])}`);
  const text = requestBody.text;
  if (text !== null) {
    if (!requestHeaders.has('content-type')) lines.push("-H 'content-type:'");
    lines.push(
      requestBody.isBinary || requestBody.isCut
        ? '--data-binary "@$CORPO"'
        : // Never --data-binary: a body that begins with @ would be read as the name of a file.
          `--data-raw ${quote(maskedBody(text, entry.operation))}`,
    );
    if (requestBody.isBinary || requestBody.isCut)
      needed.set('CORPO', 'o arquivo com o corpo da requisição, que não foi guardado inteiro');
  }
  lines.push(quote([originOf(entry), pathnameOf(url), ...maskedQuery(queryOf(url))]));
  const notes = [...needed].map(([name, what]) => `# Preencha antes: ${name}='…'  (${what})\n`);
  return `${notes.join('')}${lines.join(' \\\n  ')}\n`;
}

const BEARER = 'Bearer ';

function maskedHeader(name: string, value: string): Parts {
  const masked = maskedValue(name, value);
  return value.startsWith(BEARER) && typeof masked[0] !== 'string' ? [BEARER, ...masked] : masked;
}

const maskedQuery = (query: string | undefined): Parts =>
  query === undefined ? [] : ['?', ...maskedPairs(query)];

const originOf = ({ isSecure, requestHeaders }: JournalEntry): string =>
  `${isSecure ? 'https' : 'http'}://${requestHeaders.get('host') ?? '127.0.0.1:8080'}`;

/** Texts beside each other as one. */
function joined(parts: Parts): Parts {
  const together: (string | Mask)[] = [];
  for (const part of parts) {
    const before = together.at(-1);
    if (typeof part === 'string' && typeof before === 'string') together[together.length - 1] = before + part;
    else together.push(part);
  }
  return together;
}

/** Text in single quotes, within which bash reads nothing; a secret as a variable in double ones. */
function quoted(part: string | Mask, needed: Map<string, string>): string {
  if (typeof part === 'string') return part === '' ? '' : `'${part.replaceAll("'", String.raw`'\''`)}'`;
  const known = VARIABLES[part.name.toLowerCase()];
  const name = known?.name ?? variableOf(part.name);
  needed.set(name, known?.what ?? `o valor de ${part.name}`);
  return `"$${name}"`;
}

const variableOf = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^_*(?=\d)|^_+$/, 'X_');
