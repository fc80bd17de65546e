/** The formats of a collection. */
export const COLLECTION_KINDS = ['postman', 'bruno'] as const;
export type CollectionKind = (typeof COLLECTION_KINDS)[number];
