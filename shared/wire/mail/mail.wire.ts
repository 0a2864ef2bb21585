/**
 * The mail port follows from the HTTP port of the simulator, so two stacks on one machine differ only by the HTTP port.
 * Port 0 means any free port.
 */
export const mailPortOf = (simulatorPort: number): number =>
  simulatorPort === 0 ? 0 : (simulatorPort + 25) % 65_536
