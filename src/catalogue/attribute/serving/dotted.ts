/** Returns an NCM of eight digits as the public file writes it: `0901.21.00`. */
export const dotted = (ncm: string): string => `${ncm.slice(0, 4)}.${ncm.slice(4, 6)}.${ncm.slice(6)}`;
