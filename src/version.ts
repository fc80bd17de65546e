/** The version of the interface that the document describes; a build of its own changes nothing of it. */
export const API_VERSION = '1.0.0';

/** The version of this build: the build puts it here; without one it is a development tree. */
export const VERSION: string = process.env.CATP_VERSION ?? '1.0.0-dev';
