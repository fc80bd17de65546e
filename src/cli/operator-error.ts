/** What the operator did or has to do; shown as it is, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
