import type { JSX } from 'preact';

/** What is delivered, and where to; neither runs into what stands beside it. */
export const Receiver = ({
  evento,
  endpoint,
  aside,
  id,
}: {
  readonly evento: string;
  readonly endpoint: string;
  /** Which one it is, where there are many of the same. */
  readonly aside?: string;
  readonly id?: string;
}): JSX.Element => (
  <span class="notif-receiver" id={id}>
    <strong>{evento}</strong>
    <bdi title={endpoint}>{endpoint}</bdi>
    {aside !== undefined && <span>{aside}</span>}
  </span>
);
