/** Shows the content and the receiver of a delivery, truncated to their column. */
export const Receiver = ({
  evento,
  endpoint,
  aside,
  id,
}: {
  readonly evento: string;
  readonly endpoint: string;
  /** Distinguishes rows with the same content. */
  readonly aside?: string;
  readonly id?: string;
}) => (
  <span class="notif-receiver" id={id}>
    <strong>{evento}</strong>
    <bdi title={endpoint}>{endpoint}</bdi>
    {aside !== undefined && <span>{aside}</span>}
  </span>
);
