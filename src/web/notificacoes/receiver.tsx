import type { JSX } from 'preact';

/** What is delivered, and where to; neither runs into what stands beside it. */
export const Receiver = ({
  evento,
  endpoint,
}: {
  readonly evento: string;
  readonly endpoint: string;
}): JSX.Element => (
  <span class="notif-receiver">
    <strong>{evento}</strong>
    <bdi>{endpoint}</bdi>
  </span>
);
