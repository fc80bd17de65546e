/** Inputs of a package that contains the executable. */
export interface Carried {
  readonly executable: string;
  /** Platform name such as `linux-x64`. */
  readonly target: string;
  /** Output folder; it contains the files of the archive. */
  readonly folder: string;
  /** Modification time of every entry, in seconds since 1970. */
  readonly seconds: number;
  readonly version: string;
}
