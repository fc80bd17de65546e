/**
 * Finds the files of a folder that answer a path (contract section 22). It reads the folder on each request,
 * so a new, changed or removed file takes effect at once. Names are only compared with the entries of a
 * folder, so no path opens another file on the disk, and an address means the same on every system.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DomainError } from '../../errors.ts';
import { reasonOf, systemCode } from '../../system/errors.ts';
import { type NamedStub, STUB_SUFFIX, ANY_SEGMENT, parseStubName, segmentText } from './name.ts';

/** A file that answers. */
export interface Stub extends NamedStub {
  /** The path as the folder writes it: `/duimp-api/api/ext/duimp/_/1`. */
  readonly path: string;
  /** True if no tokens are required. */
  readonly isPublic: boolean;
  /** The location of the file, with links resolved. */
  readonly file: string;
  /** The file with additional headers. `undefined` when none exists. */
  readonly headersFile: string | undefined;
}

/** The top folder for stubs that require no token. It is not part of the path. */
const PUBLIC = 'public';
/** The first segments of catp's own paths. Stubs never answer below them, even at unknown paths. */
const OWN_FOLDERS: readonly string[] = ['catp', 'portal', 'cadatributos', 'appliance'];
/** The maximum number of segments. Addresses of the public service have fewer than half as many. */
const SEGMENTS_MAX = 32;

interface StubLocation {
  /** The real path, with links resolved. */
  readonly folder: string;
  readonly path: string;
  /**
   * One letter per segment: `f` for an exact name, `p` for any name. The first in alphabetical order wins.
   */
  readonly shape: string;
  readonly isPublic: boolean;
}

export class StubFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the top folders with names of catp's own paths, which cannot answer. */
  ownFolders(): readonly string[] {
    const top = namesAt(this.#folder);
    const names = [...top, ...namesAt(join(this.#folder, PUBLIC)).map((name) => `${PUBLIC}/${name}`)];
    return names.filter((name) => OWN_FOLDERS.includes(name.replace(`${PUBLIC}/`, '')));
  }

  /** Lists the stubs of all methods. The first stub of a method wins. */
  stubsAt(pathname: string): readonly Stub[] {
    const segments = segmentsOf(pathname);
    const last = segments?.pop();
    const root = segments === undefined ? undefined : realPath(this.#folder);
    if (segments === undefined || last === undefined || root === undefined) return [];
    let places = rootsIn(root);
    for (const [depth, segment] of segments.entries())
      places = sortedUnique(
        places.flatMap((place) => foldersAt(root, place, segment, depth === 0 && !place.isPublic)),
      );
    return places
      .flatMap((place) => filesAt(root, place, last))
      .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  }
}

/** Splits and decodes a path. Returns `undefined` if no file can match it. A trailing slash is ignored. */
function segmentsOf(pathname: string): string[] | undefined {
  const segments = pathname
    .replace(/(?<=.)\/$/, '')
    .slice(1)
    .split('/')
    .map(segmentText);
  if (segments.length > SEGMENTS_MAX || OWN_FOLDERS.includes(segments[0] ?? '')) return undefined;
  return segments.some((segment) => segment === '' || isRelativeStep(segment)) ? undefined : segments;
}

/** Returns true for `.` and `..`, also percent-encoded or with a backslash. */
const isRelativeStep = (segment: string): boolean =>
  segment.split(/[/\\]/).some((step) => step === '.' || step === '..');

function rootsIn(root: string): StubLocation[] {
  const open = inside(root, join(root, PUBLIC));
  const place = { path: '', shape: '', isPublic: false, folder: root };
  return open === undefined ? [place] : [place, { ...place, folder: open, isPublic: true }];
}

function foldersAt(root: string, place: StubLocation, segment: string, isTop: boolean): StubLocation[] {
  return namesAt(place.folder).flatMap((name) => {
    const step = stepOf(name, segment);
    if (step === undefined || (isTop && name === PUBLIC)) return [];
    const folder = inside(root, join(place.folder, name));
    if (folder === undefined) return [];
    return { ...place, folder, path: `${place.path}/${name}`, shape: place.shape + step };
  });
}

function filesAt(root: string, place: StubLocation, segment: string): (Stub & { readonly shape: string })[] {
  const names = namesAt(place.folder);
  return names.flatMap((name) => {
    const named = parseStubName(name);
    const step = named && stepOf(named.name, segment);
    const file = step && fileInside(root, join(place.folder, name));
    if (named === undefined || step === undefined || file === undefined) return [];
    const headers = `${named.name}.headers${STUB_SUFFIX}`;
    return {
      ...named,
      file,
      path: `${place.path}/${named.name}`,
      isPublic: place.isPublic,
      shape: place.shape + step,
      headersFile: names.includes(headers) ? fileInside(root, join(place.folder, headers)) : undefined,
    };
  });
}

function stepOf(name: string, segment: string): 'f' | 'p' | undefined {
  if (name === ANY_SEGMENT) return segment === ANY_SEGMENT ? 'f' : 'p';
  return segmentText(name) === segment ? 'f' : undefined;
}

/**
 * Sorts the folders and keeps each once. Links can reach one folder twice, and a cycle of links would not
 * end.
 */
function sortedUnique(places: readonly StubLocation[]): StubLocation[] {
  const folders = new Set<string>();
  return places
    .toSorted((a, b) => (a.shape < b.shape ? -1 : a.shape > b.shape ? 1 : 0))
    .filter(({ folder }) => !folders.has(folder) && folders.add(folder));
}

/** Sorts an exact name before any name, token-protected before public, and more specific file names first. */
const rankOf = ({ shape, isPublic, status, hasMethod }: Stub & { readonly shape: string }): string =>
  `${shape} ${isPublic ? 1 : 0} ${status ?? 999} ${hasMethod ? 0 : 1}`;

/** Returns the real path, or `undefined` if it is outside the folder. */
function inside(root: string, path: string): string | undefined {
  const real = realPath(path);
  const isInside = real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep) === true;
  return isInside ? real : undefined;
}

/** Returns the real path of a regular file. Reading a pipe would never end, and a folder has no content. */
function fileInside(root: string, path: string): string | undefined {
  const real = inside(root, path);
  const isFile = real !== undefined && statSync(real, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? real : undefined;
}

const realPath = (path: string): string | undefined => readOrAbsent(() => realpathSync(path));

const namesAt = (folder: string): readonly string[] => readOrAbsent(() => readdirSync(folder)) ?? [];

/** Errors that mean an absent file: deleted, not a folder, or links that are broken or cyclic. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

function readOrAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (ABSENT.includes(code)) return undefined;
    throw new DomainError('unavailable', `A pasta de --stubs não pode ser lida (${reasonOf(error)}).`);
  }
}
