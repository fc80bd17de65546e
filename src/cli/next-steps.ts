/** Prints the next steps to standard error, so that a pipe receives the result alone. */

export function printNextSteps(steps: readonly string[]): void {
  const [only, ...others] = steps;
  if (only === undefined) return;
  const text =
    others.length === 0
      ? `Próximo passo: ${only}`
      : `Próximos passos:\n${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}`;
  process.stderr.write(`${text}\n`);
}
