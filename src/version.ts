/** The version of the interface that the document describes. A new build does not change it. */
export const API_VERSION = '1.0.0';

/** The version of this build, set by the build. Default: a development tree. */
export const VERSION: string = process.env.CATP_VERSION ?? '1.0.0-dev';
