/** Takes a zip with spreadsheets apart, so that each sheet shows its columns before it is imported. */

import { isSheetName } from '../../validation/sheet-name.ts';

/** Maximum size for unpacking in the memory of a browser. The server unpacks larger zips. */
const UNPACKED_MAX_BYTES = 50 * 1024 * 1024;

const JSON_NAME = /\.json$/i;
/** A folder, or a file that macOS adds for each file. */
const NO_FILE = /\/$|(?:^|\/)\._[^/]*$/;

export interface Unzipped {
  readonly files: readonly File[];
  /** Names of members that are neither JSON nor a spreadsheet. */
  readonly leftOut: readonly string[];
}

/** Returns the files of a zip with spreadsheets. Returns any other file unchanged. */
export async function unzipped(file: File): Promise<Unzipped> {
  const unchanged = { files: [file], leftOut: [] };
  if (!/\.zip$/i.test(file.name) || file.size > UNPACKED_MAX_BYTES) return unchanged;
  const { unzipSync } = await import('fflate');
  const all: string[] = [];
  let total = 0;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const listMember = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
      all.push(name);
      total += originalSize;
      return false;
    };
    unzipSync(bytes, { filter: listMember });
    const names = all.filter((name) => !NO_FILE.test(name));
    if (total > UNPACKED_MAX_BYTES || !names.some(isSheetName)) return unchanged;
    const isTaken = (name: string): boolean =>
      !NO_FILE.test(name) && (isSheetName(name) || JSON_NAME.test(name));
    const members = unzipSync(bytes, { filter: ({ name }) => isTaken(name) });
    return {
      files: Object.entries(members).map(([name, content]) => new File([content], name)),
      leftOut: names.filter((name) => !isTaken(name)),
    };
  } catch {
    return unchanged; // the server reports the fault
  }
}
