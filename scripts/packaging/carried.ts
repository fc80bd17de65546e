/** What a package that carries the executable is made of. */
export interface Carried {
  readonly executable: string;
  /** `linux-x64` and its like. */
  readonly target: string;
  /** Where it is made; `LICENCAS.txt` lies there. */
  readonly folder: string;
  /** When everything in it was made, since 1970. */
  readonly seconds: number;
  readonly version: string;
}
