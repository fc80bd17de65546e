/** The version of this build: the build puts it here; without one it is a development tree. */
export const VERSION: string = process.env.CATP_VERSION ?? '1.0.0-dev';
