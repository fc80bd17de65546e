/**
 * Which files of a folder answer at a path (contract section 22): looked for anew with each request, so that a file that is
 * put there, changed or taken away counts at once. Names are only ever compared with those that a folder lists: whatever a path
 * says, nothing else of the disk is opened, and an address means the same on every system.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DomainError } from '../../errors.ts';
import { reasonOf, systemCode } from '../../system/errors.ts';
import { type NamedStub, STUB_SUFFIX, anySegment, namedBy, segmentText } from './name.ts';

/** A file that answers. */
export interface Stub extends NamedStub {
  /** Its address as the folder writes it: `/duimp-api/api/ext/duimp/_/1`. */
  readonly path: string;
  /** Whether it asks for no tokens. */
  readonly isPublic: boolean;
  /** Where it lies, links followed. */
  readonly file: string;
  /** The file with further headers, where there is one. */
  readonly headersFile: string | undefined;
}

/** First folder of what stands behind no token; no part of the path. */
const PUBLIC = 'public';
/** A path of the product's own begins with one of these: also what is not there stays its own. */
const OWN_FOLDERS: readonly string[] = ['catp', 'portal', 'cadatributos', 'appliance'];
/** No address of the public service has half as many. */
const SEGMENTS_MAX = 32;

interface Place {
  /** Links followed. */
  readonly folder: string;
  readonly path: string;
  /** `f` for a name as asked for, `p` for any: the first in this order is the one meant. */
  readonly shape: string;
  readonly isPublic: boolean;
}

export class StubFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The first folders that can answer nothing. */
  ownFolders(): readonly string[] {
    const top = namesAt(this.#folder);
    const names = [...top, ...namesAt(join(this.#folder, PUBLIC)).map((name) => `${PUBLIC}/${name}`)];
    return names.filter((name) => OWN_FOLDERS.includes(name.replace(`${PUBLIC}/`, '')));
  }

  /** Of all methods; of several for one method the one that counts stands first. */
  stubsAt(pathname: string): readonly Stub[] {
    const segments = segmentsOf(pathname);
    const last = segments?.pop();
    const root = segments === undefined ? undefined : realPath(this.#folder);
    if (segments === undefined || last === undefined || root === undefined) return [];
    let places = rootsIn(root);
    for (const [depth, segment] of segments.entries())
      places = ordered(
        places.flatMap((place) => foldersAt(root, place, segment, depth === 0 && !place.isPublic)),
      );
    return places
      .flatMap((place) => filesAt(root, place, last))
      .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  }
}

/** Decoded; `undefined` for a path that can mean no file. A slash at the end says nothing. */
function segmentsOf(pathname: string): string[] | undefined {
  const segments = pathname
    .replace(/(?<=.)\/$/, '')
    .slice(1)
    .split('/')
    .map(segmentText);
  if (segments.length > SEGMENTS_MAX || OWN_FOLDERS.includes(segments[0] ?? '')) return undefined;
  return segments.some((segment) => segment === '' || leadsAway(segment)) ? undefined : segments;
}

/** Percent-encoded, too, and with a backslash: it is nobody's name. */
const leadsAway = (segment: string): boolean =>
  segment.split(/[/\\]/).some((step) => step === '.' || step === '..');

function rootsIn(root: string): Place[] {
  const open = inside(root, join(root, PUBLIC));
  const place = { path: '', shape: '', isPublic: false, folder: root };
  return open === undefined ? [place] : [place, { ...place, folder: open, isPublic: true }];
}

function foldersAt(root: string, place: Place, segment: string, isTop: boolean): Place[] {
  return namesAt(place.folder).flatMap((name) => {
    const step = stepOf(name, segment);
    if (step === undefined || (isTop && name === PUBLIC)) return [];
    const folder = inside(root, join(place.folder, name));
    if (folder === undefined) return [];
    return { ...place, folder, path: `${place.path}/${name}`, shape: place.shape + step };
  });
}

function filesAt(root: string, place: Place, segment: string): (Stub & { readonly shape: string })[] {
  const names = namesAt(place.folder);
  return names.flatMap((name) => {
    const named = namedBy(name);
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
  if (name === anySegment) return segment === anySegment ? 'f' : 'p';
  return segmentText(name) === segment ? 'f' : undefined;
}

/** Links may lead to one folder by two ways: it is looked into once, or a circle of them would never end. */
function ordered(places: readonly Place[]): Place[] {
  const seen = new Set<string>();
  return places
    .toSorted((a, b) => (a.shape < b.shape ? -1 : a.shape > b.shape ? 1 : 0))
    .filter(({ folder }) => !seen.has(folder) && seen.add(folder));
}

/** A name as asked for before any, behind the tokens before open, and the file that says more before one that says less. */
const rankOf = ({ shape, isPublic, status, saysMethod }: Stub & { readonly shape: string }): string =>
  `${shape} ${isPublic ? 1 : 0} ${status ?? 999} ${saysMethod ? 0 : 1}`;

/** Where it really lies; `undefined` where that is outside of the folder. */
function inside(root: string, path: string): string | undefined {
  const real = realPath(path);
  const isInside = real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep) === true;
  return isInside ? real : undefined;
}

/** A pipe would be waited at for ever, and a folder says nothing. */
function fileInside(root: string, path: string): string | undefined {
  const real = inside(root, path);
  const isFile = real !== undefined && statSync(real, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? real : undefined;
}

const realPath = (path: string): string | undefined => orAbsent(() => realpathSync(path));

const namesAt = (folder: string): readonly string[] => orAbsent(() => readdirSync(folder)) ?? [];

/** Gone, no folder, or links that lead to nothing or in a circle: nothing is there. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

function orAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (ABSENT.includes(code)) return undefined;
    throw new DomainError('unavailable', `A pasta de --stubs não pode ser lida (${reasonOf(error)}).`);
  }
}
