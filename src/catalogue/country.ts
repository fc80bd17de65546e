/** Countries of ISO 3166-1 and their subdivisions of ISO 3166-2 (contract section 4). */
import { iso31661, iso31662 } from 'iso-3166';

const COUNTRIES: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

/** Codes of all subdivisions; each begins with the code of its country. Made when first asked for: they are 5000. */
let subdivisions: ReadonlySet<string> | undefined;

/** Whether two capital letters are the code of a country, officially assigned by ISO 3166-1. */
export const isCountry = (alpha2: string): boolean => COUNTRIES.has(alpha2);

/** Whether `code` ("BR-SP") is a subdivision of ISO 3166-2, and of that country. */
export const isSubdivisionOf = (code: string, alpha2: string): boolean =>
  code.startsWith(`${alpha2}-`) && (subdivisions ??= new Set(iso31662.map(({ code }) => code))).has(code);
