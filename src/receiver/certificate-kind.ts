/** Anything but `good` is a certificate that no sender may accept. */
export const CERTIFICATES = ['good', 'unknown-ca', 'wrong-name', 'expired'] as const;
export type CertificateKind = (typeof CERTIFICATES)[number];
