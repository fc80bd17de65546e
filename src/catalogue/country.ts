/** Countries of ISO 3166-1 and their subdivisions of ISO 3166-2 (contract section 4). */

/** Loads the library's tables; they are long, so they are loaded at first use. */
const library = () => require('iso-3166') as typeof import('iso-3166');

let countries: ReadonlySet<string> | undefined;

/** Codes of all subdivisions; each begins with the code of its country. */
let subdivisions: ReadonlySet<string> | undefined;

/** Returns true if two capital letters are the code of a country, officially assigned by ISO 3166-1. */
export const isCountry = (alpha2: string): boolean =>
  (countries ??= new Set(library().iso31661.map(({ alpha2 }) => alpha2))).has(alpha2);

/** Returns true if `code` ("BR-SP") is a subdivision of ISO 3166-2, and of that country. */
export const isSubdivisionOf = (code: string, alpha2: string): boolean =>
  code.startsWith(`${alpha2}-`) &&
  (subdivisions ??= new Set(library().iso31662.map(({ code }) => code))).has(code);

/** Returns all countries with their codes of two and of three letters. */
export const countryCodes = (): readonly { readonly alpha2: string; readonly alpha3: string }[] =>
  library().iso31661;

export interface Subdivision {
  readonly codigo: string;
  readonly nome: string;
}

/** Returns the subdivisions of a country by name, including nested ones. */
export const subdivisionsOf = (alpha2: string): readonly Subdivision[] =>
  library()
    .iso31662.filter(({ code }) => code.startsWith(`${alpha2}-`))
    .map(({ code, name }) => ({ codigo: code, nome: name }))
    .toSorted((a, b) => a.nome.localeCompare(b.nome, 'pt'));
