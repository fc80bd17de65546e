-- What the system deactivated and somebody activated again: a summary tells it, table by table.
CREATE INDEX product_version_by_system ON product_version (record_id) WHERE deactivated_by = 'sistema';
CREATE INDEX attribute_sweep_that_deactivated ON attribute_sweep (begun_at) WHERE deactivated > 0;
