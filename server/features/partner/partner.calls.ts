export { findAgent, findAgentByPhone, findCenter, listAgents, listCenters } from './partner.ts'
