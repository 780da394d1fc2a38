//! Ports that speak something else than the Virtual Observatory's HTTP.

/// WHATWG Fetch section 2.9, "bad port", from 1024 up (below, only 80 and 443 are contacted).
const BAD_PORTS: &[u16] = &[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
    6679, 6697, 10080,
];

/// Databases, queues, remote desktops and control planes that answer to plain HTTP or to a few
/// well-placed bytes.
const SERVICE_PORTS: &[u16] = &[
    1433, 1434, // SQL Server
    1521, // Oracle
    2181, // ZooKeeper
    2375, 2376, 2377, // Docker
    2379, 2380, // etcd
    3306, 33060, // MySQL
    3389,  // remote desktop
    4369, 5671, 5672, 15672, // Erlang, RabbitMQ
    5432,  // PostgreSQL
    5900, 5901, // VNC
    5984, // CouchDB
    5985, 5986, // WinRM
    6379, 6380, // Redis
    6443, // Kubernetes API
    8086, // InfluxDB
    8200, // Vault
    8500, // Consul
    9042, // Cassandra
    9092, // Kafka
    9200, 9300, // Elasticsearch
    10250, 10255, 10256, 10257, 10259, // kubelet, kube-proxy, controller, scheduler
    11211, // memcached
    26257, // CockroachDB
    27017, 27018, 27019, // MongoDB
];

/// Whether a service may be asked on this port.
pub(super) fn is_contacted(port: u16) -> bool {
    match port {
        80 | 443 => true,
        0..=1023 => false,
        _ => !BAD_PORTS.contains(&port) && !SERVICE_PORTS.contains(&port),
    }
}
