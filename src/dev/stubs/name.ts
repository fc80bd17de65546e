/**
 * Parses the file name of a stub: `itens.json`, `itens.POST.json`, `itens.404.json`, `itens.POST.201.json`.
 */
import { METHODS, type Method } from '../../http/operation.ts';

export const STUB_SUFFIX = '.json';
/** A folder or file name that matches any one segment. */
export const ANY_SEGMENT = '_';

export interface NamedStub {
  /** The last segment of the path, as in the file name. */
  readonly name: string;
  readonly method: Method;
  readonly hasMethod: boolean;
  /** `undefined` means 200. */
  readonly status: number | undefined;
}

/** Parses a file name. Returns `undefined` for a file that does not answer. */
export function parseStubName(file: string): NamedStub | undefined {
  if (!file.endsWith(STUB_SUFFIX)) return undefined;
  const parts = file.slice(0, -STUB_SUFFIX.length).split('.');
  if (parts.at(-1) === 'headers' && parts.length > 1) return undefined;
  const status = parts.length > 1 && /^[2-5]\d\d$/.test(parts.at(-1) ?? '') ? Number(parts.pop()) : undefined;
  const namedMethod = METHODS.find((one) => parts.length > 1 && one === parts.at(-1));
  if (namedMethod !== undefined) parts.pop();
  const name = parts.join('.');
  return name === ''
    ? undefined
    : { name, method: namedMethod ?? 'GET', hasMethod: namedMethod !== undefined, status };
}

/**
 * Decodes a segment or a file name. A file name may be percent-encoded: `a%3Ab` on systems that forbid `:`.
 */
export function segmentText(written: string): string {
  let text = written;
  try {
    text = decodeURIComponent(written);
  } catch {
    // a name with a percent sign; an invalid path matches no file
  }
  return text.normalize('NFC'); // macOS stores names in another normal form
}
