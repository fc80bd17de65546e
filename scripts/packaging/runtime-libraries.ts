/**
 * Parts of the executable that come with the runtime or the compiler, each with its licence (SPDX) and its
 * copyright line. Bun's own list (`bun-types/docs/project/license.mdx`) names its libraries without their
 * texts; a test compares both lists.
 */
export interface LinkedLibrary {
  readonly name: string;
  readonly licence: string;
  readonly copyright: string;
}

const library = (name: string, licence: string, copyright: string): LinkedLibrary => ({
  name,
  licence,
  copyright,
});

const JOYENT = 'Joyent, Inc. and other Node contributors';
const HALLIDAY = 'James Halliday';
const LITESPEED = 'LiteSpeed Technologies Inc';
const CONTRIBUTORS = 'the authors of the package';

export const RUNTIME_LIBRARIES: readonly LinkedLibrary[] = [
  library(
    'JavaScriptCore',
    'LGPL-2.0-or-later AND BSD-2-Clause',
    'Apple Inc., the KDE project and the contributors of WebKit',
  ),
  library(
    'boringssl',
    'Apache-2.0 AND OpenSSL AND ISC AND MIT',
    'The BoringSSL Authors, The OpenSSL Project, Google Inc.',
  ),
  library('brotli', 'MIT', '2009, 2010, 2013-2016 by the Brotli Authors'),
  library('libarchive', 'BSD-2-Clause AND CC0-1.0', '2003-2018 Tim Kientzle and contributors'),
  library('lol-html', 'BSD-3-Clause', '2019, Cloudflare, Inc.'),
  library('ls-hpack', 'MIT AND BSD-2-Clause', `2018-2023 ${LITESPEED}; xxHash: 2012-2020 Yann Collet`),
  library('ls-qpack', 'MIT', `2018-2026 ${LITESPEED}`),
  library('lsquic', 'MIT AND BSD-3-Clause', `2017-2026 ${LITESPEED}; 2015 The Chromium Authors`),
  library('mimalloc', 'MIT', '2018-2025 Microsoft Corporation, Daan Leijen'),
  library('picohttp', 'MIT', '2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase, Shigeo Mitsunari'),
  library('zstd', 'BSD-3-Clause', 'Meta Platforms, Inc. and affiliates'),
  library('simdutf', 'Apache-2.0', 'The simdutf authors'),
  library('tinycc', 'LGPL-2.1-only', '2001-2004 Fabrice Bellard and contributors'),
  library('uSockets', 'Apache-2.0', 'Alex Hultman and contributors'),
  library('zlib-ng', 'Zlib', '1995-2024 Jean-loup Gailly and Mark Adler'),
  library(
    'c-ares',
    'MIT',
    '1998 Massachusetts Institute of Technology; 2007-2023 Daniel Stenberg with many contributors',
  ),
  library(
    'libicu',
    'Unicode-3.0 AND ICU',
    '2016-2025 Unicode, Inc.; 1995-2016 International Business Machines Corporation and others',
  ),
  library(
    'libbase64',
    'BSD-2-Clause',
    '2005-2007 Nick Galbreath; 2015-2018 Wojciech Muła; 2016-2017 Matthieu Darbois; 2013-2022 Alfred Klomp',
  ),
  library(
    'libuv',
    'MIT AND BSD-2-Clause AND ISC',
    `2015-present libuv project contributors; ${JOYENT}; Niels Provos; Internet Systems Consortium, Inc.`,
  ),
  library('libdeflate', 'MIT', '2016 Eric Biggers; 2024 Google LLC'),
  library(
    'libjpeg-turbo',
    'BSD-3-Clause AND IJG AND Zlib',
    '2009-2026 D. R. Commander; 1991-2020 Thomas G. Lane, Guido Vollbeding. This software is based in part on the work of the Independent JPEG Group.',
  ),
  library(
    'libspng',
    'BSD-2-Clause AND libpng-2.0',
    '2018-2023 Randy <randy408@protonmail.com>; The PNG Reference Library Authors',
  ),
  library('libwebp', 'BSD-3-Clause', '2010, Google Inc.'),
  library('highway', 'Apache-2.0', 'Google LLC'),
  library(
    'HdrHistogram_c',
    'BSD-2-Clause',
    '2012-2014 Gil Tene; 2014 Michael Barker; 2014 Matt Warren; 2015 Philip Orwig',
  ),
  library('sqlite', 'blessing', 'none: public domain'),
  library('uWebsockets', 'Apache-2.0', 'Alex Hultman and contributors; Jarred Sumner'),
  library("Tigerbeetle's IO code", 'Apache-2.0', 'TigerBeetle, Inc.'),
  library('acorn', 'MIT', '2012-2022 by various contributors (see AUTHORS)'),
  library('acorn-walk', 'MIT', '2012-2020 by various contributors (see AUTHORS)'),
  library('assert', 'MIT', JOYENT),
  library('browserify-zlib', 'MIT', '2014-2015 Devon Govett <devongovett@gmail.com>'),
  library('buffer', 'MIT', 'Feross Aboukhadijeh, and other contributors'),
  library('constants-browserify', 'MIT', CONTRIBUTORS),
  library('crypto-browserify', 'MIT', '2013 Dominic Tarr'),
  library('domain-browser', 'MIT', 'Benjamin Lupton; Joyent, Inc. and other Node contributors'),
  library('events', 'MIT', JOYENT),
  library('https-browserify', 'MIT', HALLIDAY),
  library('os-browserify', 'MIT', '2017 CoderPuppy'),
  library('path-browserify', 'MIT', `2013 ${HALLIDAY}`),
  library('process', 'MIT', '2013 Roman Shtylman <shtylman@gmail.com>'),
  library('punycode', 'MIT', 'Mathias Bynens <https://mathiasbynens.be/>'),
  library('querystring-es3', 'MIT', '2012 Irakli Gozalishvili'),
  library('stream-browserify', 'MIT', HALLIDAY),
  library('stream-http', 'MIT', '2015 John Hiesey'),
  library('string_decoder', 'MIT', 'Node.js contributors'),
  library('timers-browserify', 'MIT', '2012 J. Ryan Stinnett <jryans@gmail.com>'),
  library('tty-browserify', 'MIT', CONTRIBUTORS),
  library('url', 'MIT', '2014 Joyent, Inc. and other Node contributors'),
  library('util', 'MIT', JOYENT),
  library('vm-browserify', 'MIT', CONTRIBUTORS),
  library('esbuild', 'MIT', '2020 Evan Wallace'),
  library('Lightning CSS', 'MPL-2.0', 'Devon Govett and contributors'),
  library('Servo', 'MPL-2.0', 'the contributors of Servo'),
];

/** Libraries that other steps add: the compiler to SQLite's addon, the image of a container. */
export const OTHER_LIBRARIES: readonly LinkedLibrary[] = [
  library('SQLite', 'blessing', 'none: public domain'),
  library('LLVM (libc++, libc++abi, compiler-rt)', 'Apache-2.0 WITH LLVM-exception', 'the LLVM contributors'),
  library('Mozilla CA certificates', 'MPL-2.0', 'Mozilla and contributors'),
];

/** Libraries that only the image of a container has: it takes them from the system that makes it. */
export const IMAGE_LIBRARIES: readonly LinkedLibrary[] = [
  library('GNU C Library', 'LGPL-2.1-or-later', 'the Free Software Foundation, Inc. and contributors'),
];
