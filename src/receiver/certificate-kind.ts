/** The kinds of certificate. Senders must reject all but `good`. */
export const CERTIFICATES = ['good', 'unknown-ca', 'wrong-name', 'expired'] as const;
export type CertificateKind = (typeof CERTIFICATES)[number];
