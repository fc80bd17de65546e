/** Licence texts by their SPDX identifier. */
import list from 'spdx-license-list/full.js';

/** The only licence exception that a part of the executable uses. The SPDX list has no exceptions. */
const LLVM_EXCEPTION = `---- LLVM Exceptions to the Apache 2.0 License ----

As an exception, if, as a result of your compiling your source code, portions of this Software are embedded into an Object form of such source code, you may redistribute such embedded portions in such Object form without complying with the conditions of Sections 4(a), 4(b) and 4(d) of the License.

In addition, if you combine or link compiled forms of this Software with software that is licensed under the GPLv2 ("Combined Software") and if a court of competent jurisdiction determines that the patent provision (Section 3), the indemnity provision (Section 9) or other Section of the License conflicts with the conditions of the GPLv2, you may retroactively and prospectively choose to deem waived or otherwise exclude such Section(s) of the License, but only in their entirety and only with respect to the Combined Software.`;

/** Splits an SPDX expression into its identifiers. */
export const spdxIds = (expression: string): readonly string[] =>
  expression
    .replaceAll(/[()]/g, ' ')
    .split(/ (?:AND|OR|WITH) /)
    .map((id) => id.trim());

/** Throws for an identifier that is not in the list. */
export function spdxText(id: string): string {
  const text = id === 'LLVM-exception' ? LLVM_EXCEPTION : list[id]?.licenseText;
  if (text === undefined) throw new Error(`SPDX has no licence '${id}'`);
  return text.trim();
}
