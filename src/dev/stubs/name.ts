/** What the name of a file says: `itens.json`, `itens.POST.json`, `itens.404.json`, `itens.POST.201.json`. */
import { METHODS, type Method } from '../../http/operation.ts';

export const STUB_SUFFIX = '.json';
/** As the name of a folder or file: any one segment. */
export const anySegment = '_';

export interface NamedStub {
  /** Last segment of the path, as the file's name writes it. */
  readonly name: string;
  readonly method: Method;
  readonly saysMethod: boolean;
  /** Absent: 200. */
  readonly status: number | undefined;
}

/** `undefined` for a file that answers nothing. */
export function namedBy(file: string): NamedStub | undefined {
  if (!file.endsWith(STUB_SUFFIX)) return undefined;
  const parts = file.slice(0, -STUB_SUFFIX.length).split('.');
  if (parts.at(-1) === 'headers' && parts.length > 1) return undefined;
  const status = parts.length > 1 && /^[2-5]\d\d$/.test(parts.at(-1) ?? '') ? Number(parts.pop()) : undefined;
  const said = METHODS.find((one) => parts.length > 1 && one === parts.at(-1));
  if (said !== undefined) parts.pop();
  const name = parts.join('.');
  return name === '' ? undefined : { name, method: said ?? 'GET', saysMethod: said !== undefined, status };
}

/** A segment of a path, or a name, which may be written as paths are: `a%3Ab` where a system has no `:` in names. */
export function segmentText(written: string): string {
  let text = written;
  try {
    text = decodeURIComponent(written);
  } catch {
    // a name with a percent sign; a path that is wrong finds none
  }
  return text.normalize('NFC'); // macOS writes names otherwise
}
